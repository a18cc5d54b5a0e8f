import type { Kysely } from 'kysely'
import { createPurge, prepareQuery } from '#kit/database.ts'
import type { Clock } from '#kit/runtime.ts'
import type { IdpTables } from '../tables.ts'

export interface CredentialStore {
  /** Stores the credential (its `vc` claim, as JSON) that a grant is based on. */
  keep(grantId: string, subject: string, credential: string): Promise<void>
  /** Returns the credential of a grant; undefined if the grant is another subject's or deleted. */
  find(grantId: string, subject: string): Promise<unknown>
}

/** The credentials behind the grants: a client only sees the credential of its login. */
export function createCredentialStore(
  database: Kysely<IdpTables>,
  clock: Clock,
  retentionSeconds: number,
): CredentialStore {
  const insert = prepareQuery(database, (row: IdpTables['granted_credentials']) =>
    database.insertInto('granted_credentials').values(row),
  )
  const purge = createPurge(clock, (now) =>
    database
      .deleteFrom('granted_credentials')
      .where('created_at', '<', now - retentionSeconds)
      .execute(),
  )
  const findCredential = prepareQuery(
    database,
    ({ grantId, subject }: { grantId: string; subject: string }) =>
      database
        .selectFrom('granted_credentials')
        .select('credential')
        .where('grant_id', '=', grantId)
        .where('subject', '=', subject),
  )
  return {
    async keep(grantId, subject, credential) {
      await purge()
      await insert.change({ grant_id: grantId, subject, credential, created_at: clock.seconds() })
    },
    async find(grantId, subject) {
      const row = await findCredential.first({ grantId, subject })
      return row === undefined ? undefined : JSON.parse(row.credential)
    },
  }
}
