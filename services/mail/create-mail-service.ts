import type { z } from 'zod'
import { createApp } from '#kit/create-app.ts'
import { hostInUrl } from '#kit/origins.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { openMailStore } from './adapters/mail-store.ts'
import { listenForMail } from './adapters/smtp-server.ts'
import { zMailConfig } from './config.ts'
import {
  deleteMessagesV1,
  deleteMessageV1,
  downloadMessageV1,
  downloadPartV1,
  getMessageV1,
  listMessagesV1,
  listMessagesV2,
  listOutgoingServersV2,
  searchMessagesV2,
  streamEventsV1,
} from './routes/messages.ts'
import {
  inboxPage,
  messagePage,
  type PageDependencies,
  pageAssets,
  unknownPage,
} from './routes/pages.ts'

export interface MailService extends Service {
  /** Address for SMTP clients, for example `smtp://127.0.0.1:4025`. */
  readonly smtpUrl: string
}

/**
 * The embedded mail server: receives emails over SMTP and serves MailHog's HTTP API and an inbox
 * page. SMTP listens from the return of this function until `close`.
 */
export async function createMailService(
  given: z.input<typeof zMailConfig>,
  runtime: Runtime,
): Promise<MailService> {
  const config = zMailConfig.parse(given)
  const store = await openMailStore(config, runtime)
  const smtp = await listenForMail(config, store, runtime).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const app = createApp<PageDependencies>({
    name: 'mail',
    title: 'Mail server',
    version: '1.0.0',
    description: "An inbox for all recipients, with MailHog's HTTP API.",
    baseUrl: config.baseUrl,
    runtime,
    database: store,
    dependencies: { ...store, consoleUrl: runtime.consoleUrl },
    routes: [
      inboxPage,
      messagePage,
      ...pageAssets,
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
    unknownPage: (request, { status }) =>
      unknownPage(request, { consoleUrl: runtime.consoleUrl }, { status }),
  })
  return {
    app,
    smtpUrl: `smtp://${hostInUrl(config.smtpHost)}:${smtp.port}`,
    async close() {
      await smtp.close()
      await store.close()
    },
  }
}
