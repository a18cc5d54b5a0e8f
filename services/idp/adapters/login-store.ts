import type { Kysely, Selectable } from 'kysely'
import { createPurge, prepareQuery } from '#kit/database.ts'
import type { Clock } from '#kit/runtime.ts'
import { digest, randomToken } from '#kit/secrets.ts'
import { type Failures, type LoginStatus, loginStatus } from '../domain/login.ts'
import type { IdpTables, LoginTable } from '../tables.ts'
import type { VerifierSession } from './verifier-client.ts'

export type Login = Selectable<LoginTable>

export interface Outcome {
  readonly status: 'SUCCESS' | 'FAILED'
  readonly responseCode?: string | undefined
  /** The `vc` claim, for SUCCESS. */
  readonly credential?: unknown
  readonly failures: Failures
}

interface NewLogin {
  readonly interactionUid: string
  readonly clientId: string
  /** Counts the QR codes of one login from 1. */
  readonly attempt: number
}

export interface LoginList {
  readonly logins: readonly Login[]
  readonly hasMore: boolean
}

const pageSize = 25

export interface LoginStore {
  /** The newest QR code of a login. */
  findNewest(interactionUid: string): Promise<Login | undefined>
  findByCode(sessionCode: string): Promise<Login | undefined>
  findByVerifierSession(id: string): Promise<Login | undefined>
  /** Adds a QR code; if another request has added this attempt already, returns that one. */
  add(login: NewLogin, session: VerifierSession): Promise<Login>
  /**
   * Ends a pending verification; does nothing if it has ended or expired. Returns its login;
   * undefined if there is none.
   */
  decide(verifierSessionId: string, outcome: Outcome): Promise<Login | undefined>
  /** Ends a login whose verification is pending, and returns it; undefined if none is pending. */
  cancel(interactionUid: string): Promise<Login | undefined>
  /** Uses the code with which a wallet redirected its holder here: true once, for its own login. */
  useResponseCode(interactionUid: string, code: string): Promise<boolean>
  /** The verification sessions of all logins, newest first; pages count from 0. */
  list(page: number, status?: LoginStatus): Promise<LoginList>
  /** The number of sessions by status. */
  count(): Promise<Readonly<Record<LoginStatus, number>>>
}

/**
 * The logins of browsers, in the database, so that pending ones survive a restart.
 *
 * @assumption A-31 session codes are independent of everything else
 */
export function createLoginStore(
  database: Kysely<IdpTables>,
  clock: Clock,
  retentionSeconds: number,
): LoginStore {
  const purge = createPurge(clock, (now) =>
    database
      .deleteFrom('logins')
      .where('created_at', '<', now - retentionSeconds)
      .execute(),
  )
  const queries = prepareLoginQueries(database)
  const findNewest = (interactionUid: string) =>
    queries.findNewest.first({ interaction_uid: digest(interactionUid) })

  return {
    findNewest,
    findByCode: (code) => queries.findByCode.first({ value: code }),
    findByVerifierSession: (id) => queries.findByVerifierSession.first({ value: id }),

    async add({ interactionUid, clientId, attempt }, session) {
      await purge()
      const added = await queries.add.first({
        session_code: randomToken(),
        interaction_uid: digest(interactionUid),
        client_id: clientId,
        attempt,
        verifier_session_id: session.id,
        authorization_request: session.authorizationRequest,
        created_at: clock.seconds(),
        expires_at: session.expiresAt,
      })
      const login = added ?? (await findNewest(interactionUid))
      if (!login) throw new TypeError('an existing login disappeared')
      return login
    },

    async decide(verifierSessionId, { status, responseCode, credential, failures }) {
      const now = clock.seconds()
      const decided = await queries.decide.first({
        verifier_session_id: verifierSessionId,
        now,
        status,
        response_code_digest: responseCode === undefined ? null : digest(responseCode),
        credential: status === 'SUCCESS' ? JSON.stringify(credential) : null,
        failures: JSON.stringify(failures),
      })
      return decided ?? queries.findByVerifierSession.first({ value: verifierSessionId })
    },

    cancel: (interactionUid) =>
      queries.cancel.first({ interaction_uid: digest(interactionUid), now: clock.seconds() }),

    async useResponseCode(interactionUid, code) {
      const values = { interaction_uid: digest(interactionUid), code_digest: digest(code) }
      return (await queries.useResponseCode.change(values)) > 0
    },

    async list(page, status) {
      const now = clock.seconds()
      const all = database
        .selectFrom('logins')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('session_code')
      const chosen = all.where((where) => {
        const pending = where('status', '=', 'PENDING')
        if (status === 'PENDING') return where.and([pending, where('expires_at', '>', now)])
        if (status === 'SUCCESS') return where('status', '=', 'SUCCESS')
        const expired = where.and([pending, where('expires_at', '<=', now)])
        return where.or([where('status', '=', 'FAILED'), expired])
      })
      const logins = await (status === undefined ? all : chosen)
        .limit(pageSize + 1)
        .offset(page * pageSize)
        .execute()
      return { logins: logins.slice(0, pageSize), hasMore: logins.length > pageSize }
    },

    async count() {
      const now = clock.seconds()
      const rows = await database
        .selectFrom('logins')
        .select(({ fn, case: when }) => [
          'status',
          when().when('expires_at', '<=', now).then(1).else(0).end().as('over'),
          fn.countAll<number>().as('count'),
        ])
        .groupBy(['status', 'over'])
        .execute()
      const counts = { PENDING: 0, SUCCESS: 0, FAILED: 0 }
      for (const { status, over, count } of rows) {
        const expires = over === 1 ? now : now + 1
        counts[loginStatus({ status, expires_at: expires }, now)] += Number(count)
      }
      return counts
    },
  }
}

type NewRow = Pick<
  Login,
  | 'session_code'
  | 'interaction_uid'
  | 'client_id'
  | 'attempt'
  | 'verifier_session_id'
  | 'authorization_request'
  | 'created_at'
  | 'expires_at'
>
type Decision = Pick<
  Login,
  'verifier_session_id' | 'status' | 'response_code_digest' | 'credential' | 'failures'
> & { readonly now: number }

/** The queries of each login. */
function prepareLoginQueries(database: Kysely<IdpTables>) {
  const find = (column: 'session_code' | 'verifier_session_id') =>
    prepareQuery(database, ({ value }: { value: string }) =>
      database.selectFrom('logins').selectAll().where(column, '=', value),
    )
  return {
    findByCode: find('session_code'),
    findByVerifierSession: find('verifier_session_id'),
    findNewest: prepareQuery(database, ({ interaction_uid }: Pick<Login, 'interaction_uid'>) =>
      database
        .selectFrom('logins')
        .selectAll()
        .where('interaction_uid', '=', interaction_uid)
        .orderBy('attempt', 'desc')
        .limit(1),
    ),
    add: prepareQuery(database, (row: NewRow) =>
      database
        .insertInto('logins')
        .values({ ...row, status: 'PENDING' })
        .onConflict((conflict) => conflict.columns(['interaction_uid', 'attempt']).doNothing())
        .returningAll(),
    ),
    decide: prepareQuery(database, ({ verifier_session_id, now, ...decision }: Decision) =>
      database
        .updateTable('logins')
        .set({ ...decision, decided_at: now })
        .where('verifier_session_id', '=', verifier_session_id)
        .where('status', '=', 'PENDING')
        .where('expires_at', '>', now)
        .returningAll(),
    ),
    cancel: prepareQuery(
      database,
      ({ interaction_uid, now }: Pick<Login, 'interaction_uid'> & { readonly now: number }) =>
        database
          .updateTable('logins')
          .set({ status: 'FAILED', decided_at: now })
          .where('interaction_uid', '=', interaction_uid)
          .where('status', '=', 'PENDING')
          .where('expires_at', '>', now)
          .returningAll(),
    ),
    useResponseCode: prepareQuery(
      database,
      ({ interaction_uid, code_digest }: { interaction_uid: string; code_digest: string }) =>
        database
          .updateTable('logins')
          .set({ response_code_digest: null })
          .where('interaction_uid', '=', interaction_uid)
          .where('response_code_digest', '=', code_digest),
    ),
  }
}
