import { createApp } from '#kit/create-app.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { listenForMail } from './adapters/listen-for-mail.ts'
import { openMailStore } from './adapters/mail-store.ts'
import type { MailConfig } from './config.ts'
import { deleteMessageV1 } from './routes/delete-message-v1.ts'
import { deleteMessagesV1 } from './routes/delete-messages-v1.ts'
import { downloadMessageV1 } from './routes/download-message-v1.ts'
import { downloadPartV1 } from './routes/download-part-v1.ts'
import { getMessageV1 } from './routes/get-message-v1.ts'
import { inboxPage } from './routes/inbox-page.ts'
import { listMessagesV1 } from './routes/list-messages-v1.ts'
import { listMessagesV2 } from './routes/list-messages-v2.ts'
import { listOutgoingServersV2 } from './routes/list-outgoing-servers-v2.ts'
import { messagePage } from './routes/message-page.ts'
import { searchMessagesV2 } from './routes/search-messages-v2.ts'
import { streamEventsV1 } from './routes/stream-events-v1.ts'

export interface MailService extends Service {
  /** Where it takes mail, for example `smtp://127.0.0.1:4025`. */
  readonly smtpUrl: string
}

/**
 * The embedded mail server: SMTP in, MailHog's HTTP API and an inbox page out. SMTP listens when
 * this returns, and until `close`.
 */
export async function createMailService(
  config: MailConfig,
  runtime: Runtime,
): Promise<MailService> {
  const store = await openMailStore(config, runtime)
  const smtp = await listenForMail(config, store, runtime).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const app = createApp({
    name: 'mail',
    title: 'Mail server',
    version: '1.0.0',
    description: "An inbox for everybody, with MailHog's HTTP API.",
    baseUrl: config.baseUrl,
    runtime,
    database: store,
    dependencies: store,
    routes: [
      inboxPage,
      messagePage,
      listMessagesV1,
      deleteMessagesV1,
      getMessageV1,
      deleteMessageV1,
      downloadMessageV1,
      downloadPartV1,
      streamEventsV1,
      listMessagesV2,
      searchMessagesV2,
      listOutgoingServersV2,
    ],
    docsPath: '/swagger',
    ownHostOnly: 'host',
  })
  return {
    app,
    smtpUrl: `smtp://${config.smtpHost}:${smtp.port}`,
    async close() {
      await smtp.close()
      await store.close()
    },
  }
}
