import type { Kysely } from 'kysely'
import { createPurge, prepareQuery } from '#kit/database.ts'
import type { Clock } from '#kit/runtime.ts'
import { digest } from '#kit/secrets.ts'
import { type CredentialState, credentialSteps, offerSteps } from '../domain/issuance-states.ts'
import type { ConnectorTables, CredentialRow, IssuanceRow } from '../tables.ts'

/** A new offer; the other columns have the same values in each. */
type NewOffer = Pick<
  IssuanceRow,
  | 'id'
  | 'subject_id'
  | 'preauth_code_digest'
  | 'reference_digest'
  | 'sealed_code'
  | 'vc_names'
  | 'tx_code'
  | 'pin_digest'
  | 'deferred_seconds'
  | 'recipe'
  | 'offer_expires_at'
>

/** Columns that identify an issuance. */
const issuanceKeys = [
  'id',
  'subject_id',
  'preauth_code_digest',
  'reference_digest',
  'access_token_digest',
] as const
type IssuanceKey = (typeof issuanceKeys)[number]

const credentialKeys = ['acceptance_token_digest', 'credential_id'] as const
type CredentialColumn = (typeof credentialKeys)[number]

/** Changes of an issuance in one step, if its code has the digest `code`. */
type IssuanceStep = Partial<Omit<IssuanceRow, 'id' | 'state'>> & {
  readonly id: string
  readonly code?: string | undefined
}

/** The columns of a credential except its state. */
type CredentialStep = Partial<Omit<CredentialRow, 'state'>> &
  Pick<CredentialRow, 'issuance_id' | 'credential_type'>

/** The queries of each issuance: its offer, its token and its credentials. */
function prepareIssuanceQueries(database: Kysely<ConnectorTables>) {
  const findIssuance = (column: IssuanceKey) =>
    prepareQuery(database, ({ value }: { value: string }) =>
      database.selectFrom('issuances').selectAll().where(column, '=', value),
    )
  const findCredential = (column: CredentialColumn) =>
    prepareQuery(database, ({ value }: { value: string }) =>
      database.selectFrom('credentials').selectAll().where(column, '=', value),
    )
  const take = (step: keyof typeof offerSteps) =>
    prepareQuery(database, ({ id, code, ...changes }: IssuanceStep) =>
      database
        .updateTable('issuances')
        .set({ ...changes, state: offerSteps[step].to })
        .where('id', '=', id)
        .where('state', 'in', [...offerSteps[step].from])
        .$if(code !== undefined, (query) => query.where('preauth_code_digest', '=', code ?? '')),
    )
  const request = (step: 'sign' | 'defer' | 'end') =>
    prepareQuery(
      database,
      (row: CredentialStep & Pick<CredentialRow, 'holder_did' | 'updated_at'>) =>
        database
          .insertInto('credentials')
          .values({ revoked: 0, ...row, state: credentialSteps[step].to })
          .onConflict((conflict) =>
            conflict.columns(['issuance_id', 'credential_type']).doNothing(),
          ),
    )
  const takeCredential = (step: 'sign' | 'deliver' | 'end') =>
    prepareQuery(database, ({ issuance_id, credential_type, ...changes }: CredentialStep) =>
      database
        .updateTable('credentials')
        .set({ ...changes, state: credentialSteps[step].to })
        .where('issuance_id', '=', issuance_id)
        .where('credential_type', '=', credential_type)
        .where('state', 'in', [...credentialSteps[step].from] as CredentialState[]),
    )

  return {
    findIssuance: byName(issuanceKeys, findIssuance),
    findCredential: byName(credentialKeys, findCredential),
    listCredentials: prepareQuery(database, ({ issuance_id }: { issuance_id: string }) =>
      database
        .selectFrom('credentials')
        .selectAll()
        .where('issuance_id', '=', issuance_id)
        .orderBy('credential_type'),
    ),
    offer: prepareQuery(database, ({ now, ...offer }: NewOffer & { readonly now: number }) => {
      const fresh = { ...offer, state: 'offered', pin_attempts: 0, updated_at: now } as const
      const { subject_id: _, ...replacement } = fresh
      return database
        .insertInto('issuances')
        .values({ ...fresh, revoked: 0, created_at: now })
        .onConflict((conflict) =>
          conflict
            .column('subject_id')
            .doUpdateSet(replacement)
            .where('issuances.state', '=', 'offered'),
        )
    }),
    take: byName(['redeem', 'end'], take),
    spendNonce: prepareQuery(
      database,
      ({
        id,
        used,
        ...next
      }: Pick<IssuanceRow, 'id' | 'c_nonce_digest' | 'c_nonce_expires_at'> & {
        readonly used: string | null
      }) =>
        database
          .updateTable('issuances')
          .set(next)
          .where('id', '=', id)
          .where('c_nonce_digest', '=', used),
    ),
    request: byName(['sign', 'defer', 'end'], request),
    takeCredential: byName(['sign', 'deliver', 'end'], takeCredential),
  }
}

const byName = <Name extends string, T>(names: readonly Name[], create: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, create(name)])) as Readonly<Record<Name, T>>

/** Digest of a PIN for the database: without the code, trying all PINs does not reveal it. */
export const digestOfPin = (code: string, pin: string): string => digest(`${code} ${digest(pin)}`)

type Conditions = Partial<Pick<IssuanceRow, 'preauth_code_digest'>>
type CredentialKey = Pick<CredentialRow, 'issuance_id' | 'credential_type'>

/** The wallet's first request for a credential, with its verified holder. */
type RequestedCredential = CredentialKey &
  Pick<CredentialRow, 'holder_did'> &
  Partial<CredentialRow>

/** Digest of the used c_nonce, and the next c_nonce. */
interface NonceChange {
  readonly used: string | null
  readonly next?: { readonly cNonce: string; readonly expiresAt: number } | undefined
}

/** An offer and one of its credentials. */
export interface FoundCredential {
  readonly issuance: IssuanceRow
  readonly credential: CredentialRow
}

export interface IssuanceStore {
  /**
   * Records an offer. It replaces the subject's earlier offer if that has not been redeemed.
   * Returns false if the subject's issuance has progressed further.
   */
  offer(offer: NewOffer): Promise<boolean>
  findById(id: string): Promise<IssuanceRow | undefined>
  findByCode(code: string): Promise<IssuanceRow | undefined>
  findByReference(reference: string): Promise<IssuanceRow | undefined>
  findByAccessToken(token: string): Promise<IssuanceRow | undefined>
  findBySubjectId(subjectId: string): Promise<IssuanceRow | undefined>
  findByAcceptanceToken(token: string): Promise<FoundCredential | undefined>
  findByCredentialId(credentialId: string): Promise<FoundCredential | undefined>
  /** The credentials of an offer that the wallet has requested. */
  listCredentials(issuanceId: string): Promise<readonly CredentialRow[]>
  /** Counts an attempt before the PIN is checked; returns false if no attempts are left. */
  countPinAttempt(id: string, maxAttempts: number): Promise<boolean>
  /**
   * Moves an offer to a new state if its state and further conditions allow it, in one statement:
   * of several simultaneous calls exactly one returns true.
   */
  take(
    step: 'redeem' | 'end',
    id: string,
    changes?: Partial<IssuanceRow>,
    conditions?: Conditions,
  ): Promise<boolean>
  /**
   * Consumes the c_nonce and makes the first step of a credential, both or neither. Of several
   * simultaneous requests with the same c_nonce or the same type, exactly one returns true.
   */
  request(
    step: 'sign' | 'defer' | 'end',
    credential: RequestedCredential,
    nonce: NonceChange,
  ): Promise<boolean>
  /** Makes a later step of a credential, in one statement. */
  takeCredential(
    step: 'sign' | 'deliver' | 'end',
    key: CredentialKey,
    changes?: Partial<CredentialRow>,
  ): Promise<boolean>
  /** Consumes the c_nonce; of several simultaneous requests with it exactly one returns true. */
  spendNonce(id: string, nonce: NonceChange): Promise<boolean>
  setNonce(id: string, cNonce: string, expiresAt: number): Promise<void>
  /** Withdraws an offer and revokes its credentials. */
  revokeOffer(id: string): Promise<void>
  revokeCredential(key: CredentialKey): Promise<void>
}

export function createIssuanceStore(
  database: Kysely<ConnectorTables>,
  clock: Clock,
  retentionSeconds: number,
): IssuanceStore {
  const purge = createPurge(clock, (now) => purgeIssuances(database, now, now - retentionSeconds))
  const queries = prepareIssuanceQueries(database)
  const find = (column: IssuanceKey, value: string) => queries.findIssuance[column].first({ value })

  const findCredential = async (
    column: CredentialColumn,
    value: string,
  ): Promise<FoundCredential | undefined> => {
    const credential = await queries.findCredential[column].first({ value })
    const issuance = credential && (await find('id', credential.issuance_id))
    return issuance && { issuance, credential }
  }

  const spend = async (id: string, { used, next }: NonceChange, on?: Kysely<ConnectorTables>) => {
    const c_nonce_digest = next === undefined ? null : digest(next.cNonce)
    const c_nonce_expires_at = next?.expiresAt ?? null
    const values = { id, used, c_nonce_digest, c_nonce_expires_at }
    return (await queries.spendNonce.change(values, on)) > 0
  }

  const updateCredentials = (changes: Partial<CredentialRow>) =>
    database.updateTable('credentials').set({ ...changes, updated_at: clock.seconds() })

  return {
    async offer(offer) {
      await purge()
      const now = clock.seconds()
      return (await queries.offer.change({ ...offer, now })) > 0
    },
    findById: (id) => find('id', id),
    findByCode: (code) => find('preauth_code_digest', digest(code)),
    findByReference: (reference) => find('reference_digest', digest(reference)),
    findByAccessToken: (token) => find('access_token_digest', digest(token)),
    findBySubjectId: (subjectId) => find('subject_id', subjectId),
    findByAcceptanceToken: (token) => findCredential('acceptance_token_digest', digest(token)),
    findByCredentialId: (credentialId) => findCredential('credential_id', credentialId),
    listCredentials: (issuanceId) => queries.listCredentials.all({ issuance_id: issuanceId }),
    async countPinAttempt(id, maxAttempts) {
      const result = await database
        .updateTable('issuances')
        .set((row) => ({ pin_attempts: row('pin_attempts', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', 'offered')
        .where('pin_attempts', '<', maxAttempts)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async take(step, id, changes = {}, conditions = {}) {
      const moved = await queries.take[step].change({
        ...changes,
        updated_at: clock.seconds(),
        id,
        code: conditions.preauth_code_digest,
      })
      return moved > 0
    },
    request: (step, credential, nonce) =>
      database.transaction().execute(async (transaction) => {
        if (!(await spend(credential.issuance_id, nonce, transaction))) return false
        const row = { ...credential, updated_at: clock.seconds() }
        return (await queries.request[step].change(row, transaction)) > 0
      }),
    async takeCredential(step, { issuance_id, credential_type }, changes = {}) {
      const updated_at = clock.seconds()
      const values = { ...changes, issuance_id, credential_type, updated_at }
      return (await queries.takeCredential[step].change(values)) > 0
    },
    spendNonce: (id, nonce) => spend(id, nonce),
    async setNonce(id, cNonce, expiresAt) {
      await database
        .updateTable('issuances')
        .set({ c_nonce_digest: digest(cNonce), c_nonce_expires_at: expiresAt })
        .where('id', '=', id)
        .execute()
    },
    async revokeOffer(id) {
      await database
        .updateTable('issuances')
        .set({ revoked: 1, state: 'ended', updated_at: clock.seconds() })
        .where('id', '=', id)
        .execute()
      await updateCredentials({ revoked: 1 }).where('issuance_id', '=', id).execute()
    },
    async revokeCredential({ issuance_id, credential_type }) {
      await updateCredentials({ revoked: 1 })
        .where('issuance_id', '=', issuance_id)
        .where('credential_type', '=', credential_type)
        .execute()
    },
  }
}

/**
 * Deletes credentials that no token can fetch any more, and entries without changes since `before`.
 */
async function purgeIssuances(
  database: Kysely<ConnectorTables>,
  now: number,
  before: number,
): Promise<void> {
  await database
    .updateTable('credentials')
    .set({ credential: null })
    .where('state', '=', 'delivered')
    .where('credential', 'is not', null)
    .where('issuance_id', 'in', (row) =>
      row.selectFrom('issuances').select('id').where('access_token_expires_at', '<', now),
    )
    .execute()
  await database
    .deleteFrom('issuances')
    .where('updated_at', '<', before)
    .where('offer_expires_at', '<', before)
    .where((row) =>
      row.or([
        row('access_token_expires_at', 'is', null),
        row('access_token_expires_at', '<', before),
      ]),
    )
    .where('id', 'not in', (row) =>
      row
        .selectFrom('credentials')
        .select('issuance_id')
        .where((each) =>
          each.or([each('updated_at', '>=', before), each('ready_at', '>=', before)]),
        ),
    )
    .execute()
  await database
    .deleteFrom('credentials')
    .where('issuance_id', 'not in', (row) => row.selectFrom('issuances').select('id'))
    .execute()
}
