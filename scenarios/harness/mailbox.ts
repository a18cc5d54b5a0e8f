import PostalMime, { type Attachment } from 'postal-mime'
import { z } from 'zod'
import { eventually } from './eventually.ts'
import { expectStatus } from './expectations.ts'
import type { HttpClient } from './http-client.ts'

export interface ReceivedMail {
  readonly subject: string
  readonly from: string
  readonly text: string
  readonly html: string
  readonly images: readonly {
    readonly name: string
    readonly mimeType: string
    /** By which the HTML refers to it, without angle brackets. */
    readonly contentId: string
    bytes: Uint8Array
  }[]
}

export interface Mailbox {
  /**
   * The newest mail to an address, as soon as it is there.
   * @throws TestbedError `not_in_time` where none came within the limit (milliseconds, default 10 000)
   */
  receive(address: string, limitMilliseconds?: number): Promise<ReceivedMail>
  /** All mails to an address that are there now, newest first. */
  list(address: string): Promise<readonly ReceivedMail[]>
}

const zSearchAnswer = z.object({
  items: z.array(z.object({ Raw: z.object({ Data: z.string() }) })),
})

const bytesOf = ({ content }: Attachment) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

const mostListed = 50

/** Reads received mails through MailHog's HTTP API (v2), whichever server offers it. */
export function createMailbox(http: HttpClient, apiUrl: string, signal: AbortSignal): Mailbox {
  async function search(address: string, limit: number): Promise<ReceivedMail[]> {
    const query = new URLSearchParams({ kind: 'to', query: address, limit: String(limit) })
    const answer = await http.request(`${apiUrl}/api/v2/search?${query}`)
    const { items } = zSearchAnswer.parse(expectStatus(answer, 200).json)
    return Promise.all(items.map(({ Raw }) => readMail(Raw.Data)))
  }

  return {
    receive: (address, limitMilliseconds = 10_000) =>
      eventually(`a mail to ${address}`, async () => (await search(address, 1))[0], {
        signal,
        limitMilliseconds,
      }),
    list: (address) => search(address, mostListed),
  }
}

async function readMail(data: string): Promise<ReceivedMail> {
  const { subject = '', from, text = '', html = '', attachments } = await PostalMime.parse(data)
  return {
    subject,
    from: from?.address ?? '',
    text,
    html,
    images: attachments
      .filter(({ mimeType }) => mimeType.startsWith('image/'))
      .map((attachment) => ({
        name: attachment.filename ?? 'image',
        mimeType: attachment.mimeType,
        contentId: attachment.contentId?.replace(/^<|>$/g, '') ?? '',
        bytes: bytesOf(attachment),
      })),
  }
}
