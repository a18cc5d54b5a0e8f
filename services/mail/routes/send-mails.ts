import type { Response } from 'express'
import { sendJsonList } from '#kit/lists.ts'
import type { ListOptions, MailSearch, MailStore } from '../adapters/mail-store.ts'
import { createMailhogMessage } from '../domain/mailhog-message.ts'

async function* readMails(store: MailStore, ids: readonly string[]) {
  for (const id of ids) {
    const mail = await store.find(id)
    if (mail !== undefined) yield [createMailhogMessage(mail)]
  }
}

/** Answers with all mails in the form of MailHog's API v1, holding one at a time in memory. */
export async function sendMails(response: Response, store: MailStore): Promise<void> {
  const portions = readMails(store, await store.listIds())
  await sendJsonList(response, portions, { contentType: 'text/json' })
}

/** Answers with a page in the form of MailHog's API v2, holding one mail at a time in memory. */
export async function sendMailPage(
  response: Response,
  store: MailStore,
  options: Required<Pick<ListOptions, 'start' | 'limit'>> & { readonly search?: MailSearch },
  contentType: string,
): Promise<void> {
  const [total, ids] = await Promise.all([store.count(options.search), store.listIds(options)])
  await sendJsonList(response, readMails(store, ids), {
    contentType,
    opening: `{"total":${total},"count":${ids.length},"start":${options.start},"items":[`,
    closing: ']}',
  })
}
