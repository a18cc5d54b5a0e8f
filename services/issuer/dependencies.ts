import type { Runtime } from '#kit/runtime.ts'
import type { ConnectorClient } from './adapters/connector-client.ts'
import type { MailOutbox } from './adapters/mail-outbox.ts'
import type { ReadAuthorizedPowers } from './adapters/management-client.ts'
import type { RecordStore } from './adapters/record-store.ts'
import type { IssuerConfig } from './config.ts'
import type { StatusLists } from './operations/create-status-lists.ts'

/** What the issuer's routes work with. */
export interface IssuerDependencies {
  readonly config: IssuerConfig
  readonly runtime: Runtime
  readonly records: RecordStore
  readonly readAuthorizedPowers: ReadAuthorizedPowers
  /** By name of the profile. */
  readonly connectors: ReadonlyMap<string, ConnectorClient>
  readonly mails: MailOutbox
  readonly statusLists: StatusLists
}
