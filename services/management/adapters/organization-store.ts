import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type Database, openDatabase } from '#kit/database.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { ManagementConfig } from '../config.ts'
import type { Organization, OrganizationSettings } from '../domain/organization.ts'

interface ManagementTables {
  organizations: {
    organization_identifier: string
    role_type: string
    /** JSON of the powers, or `null`. */
    authorized_powers: string
    /** Kept as a mark, so that a restart does not add a configured organization again. */
    removed: 0 | 1
  }
}

const createOrganizations: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table organizations (
      organization_identifier text primary key, role_type text not null,
      authorized_powers text not null, removed integer not null
    )`.execute(database)
  },
}

/** The organizations, by identifier. */
export interface OrganizationStore {
  list(): Promise<readonly Organization[]>
  find(organizationIdentifier: string): Promise<Organization | undefined>
  save(organizationIdentifier: string, settings: OrganizationSettings): Promise<void>
  /** Returns false if there was no such organization. */
  remove(organizationIdentifier: string): Promise<boolean>
  readonly check: Database<unknown>['check']
  close(): Promise<void>
}

/** Opens the store and adds configured organizations that it has never contained. */
export async function openOrganizationStore(
  { databaseUrl, organizations }: ManagementConfig,
  runtime: Runtime,
): Promise<OrganizationStore> {
  const database = await openDatabase<ManagementTables>({
    url: databaseUrl,
    service: 'management',
    migrations: { '2026-01-organizations': createOrganizations },
    runtime,
  })
  for (const { organizationIdentifier, roleType, authorizedPowers } of organizations) {
    await database
      .insertInto('organizations')
      .values({
        organization_identifier: organizationIdentifier,
        role_type: roleType,
        authorized_powers: JSON.stringify(authorizedPowers),
        removed: 0,
      })
      .onConflict((conflict) => conflict.column('organization_identifier').doNothing())
      .execute()
  }
  return {
    async list() {
      const rows = await database
        .selectFrom('organizations')
        .selectAll()
        .where('removed', '=', 0)
        .orderBy('organization_identifier')
        .execute()
      return rows.map(readRow)
    },
    async find(organizationIdentifier) {
      const row = await database
        .selectFrom('organizations')
        .selectAll()
        .where('organization_identifier', '=', organizationIdentifier)
        .where('removed', '=', 0)
        .executeTakeFirst()
      return row && readRow(row)
    },
    async save(organization_identifier, { role_type, authorized_powers }) {
      const settings = {
        role_type,
        authorized_powers: JSON.stringify(authorized_powers),
        removed: 0 as const,
      }
      await database
        .insertInto('organizations')
        .values({ organization_identifier, ...settings })
        .onConflict((conflict) => conflict.column('organization_identifier').doUpdateSet(settings))
        .execute()
    },
    async remove(organizationIdentifier) {
      const result = await database
        .updateTable('organizations')
        .set({ removed: 1 })
        .where('organization_identifier', '=', organizationIdentifier)
        .where('removed', '=', 0)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    check: database.check,
    close: () => database.destroy(),
  }
}

function readRow(row: ManagementTables['organizations']): Organization {
  return {
    organization_identifier: row.organization_identifier,
    role_type: row.role_type,
    authorized_powers: JSON.parse(row.authorized_powers),
  }
}
