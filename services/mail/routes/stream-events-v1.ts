import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { createMailhogMessage } from '../domain/mailhog-message.ts'

// A client comes back by itself; a stream without end would keep the server from stopping.
const longestStreamMilliseconds = 20_000

export const streamEventsV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/events',
  summary: 'Mails as they arrive, as server-sent events (MailHog API v1)',
  auth: 'none',
  responses: { 200: { description: 'One event a mail', contentType: 'text/event-stream' } },
  async handle({ request, response }, store) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write('retry: 500\n\n')
    const unsubscribe = store.subscribe((mail) => {
      response.write(`data: ${JSON.stringify(createMailhogMessage(mail))}\n\n`)
    })
    await new Promise<void>((resolve) => {
      request.once('close', resolve)
      setTimeout(resolve, longestStreamMilliseconds).unref()
    })
    unsubscribe()
    response.end()
    return { status: 200 }
  },
})
