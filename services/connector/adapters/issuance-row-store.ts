import type { Kysely } from 'kysely'
import { prepareQuery } from '#kit/prepared-query.ts'
import { type CredentialState, credentialSteps, offerSteps } from '../domain/issuance-states.ts'
import type { ConnectorTables, CredentialRow, IssuanceRow } from '../tables.ts'

/** A new offer; the other columns have the same values in each. */
export type NewOffer = Pick<
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
export type IssuanceKey = (typeof issuanceKeys)[number]

const credentialKeys = ['acceptance_token_digest', 'credential_id'] as const
export type CredentialColumn = (typeof credentialKeys)[number]

/** Changes of an issuance in one step, if its code has the digest `code`. */
type IssuanceStep = Partial<Omit<IssuanceRow, 'id' | 'state'>> & {
  readonly id: string
  readonly code?: string | undefined
}

/** The columns of a credential except its state. */
type CredentialStep = Partial<Omit<CredentialRow, 'state'>> &
  Pick<CredentialRow, 'issuance_id' | 'credential_type'>

/** The queries of each issuance: its offer, its token and its credentials. */
export function prepareIssuanceQueries(database: Kysely<ConnectorTables>) {
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
