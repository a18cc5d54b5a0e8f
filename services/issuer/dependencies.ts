import type { Runtime } from '#kit/runtime.ts'
import type { ConnectorClient } from './adapters/connector-client.ts'
import type { MailOutbox } from './adapters/mail-outbox.ts'
import type { ReadAuthorizedPowers } from './adapters/management-client.ts'
import type { RecordStore } from './adapters/record-store.ts'
import type { IssuerConfig } from './config.ts'
import type { StatusLists } from './operations/create-status-lists.ts'

/** The dependencies of the issuer's routes. */
export interface Dependencies {
  readonly config: IssuerConfig
  readonly runtime: Runtime
  readonly records: RecordStore
  readonly readAuthorizedPowers: ReadAuthorizedPowers
  /** By profile name. */
  readonly connectors: ReadonlyMap<string, ConnectorClient>
  readonly mails: MailOutbox
  readonly statusLists: StatusLists
}
