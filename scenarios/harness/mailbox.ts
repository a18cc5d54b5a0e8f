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
    bytes: Uint8Array
  }[]
}

export interface Mailbox {
  /**
   * The newest mail to an address, as soon as it is there.
   * @throws TestbedError `not_in_time` where none came within the limit (milliseconds, default 10 000)
   */
  receive(address: string, limitMilliseconds?: number): Promise<ReceivedMail>
}

const zSearchAnswer = z.object({
  items: z.array(z.object({ Raw: z.object({ Data: z.string() }) })),
})

const bytesOf = ({ content }: Attachment) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

/** Reads received mails through MailHog's HTTP API (v2), whichever server offers it. */
export function createMailbox(http: HttpClient, apiUrl: string, signal: AbortSignal): Mailbox {
  async function newestTo(address: string): Promise<ReceivedMail | undefined> {
    const query = new URLSearchParams({ kind: 'to', query: address, limit: '1' })
    const answer = await http.request(`${apiUrl}/api/v2/search?${query}`)
    const { items } = zSearchAnswer.parse(expectStatus(answer, 200).json)
    const newest = items[0]
    if (newest === undefined) return undefined
    const mail = await PostalMime.parse(newest.Raw.Data)
    return {
      subject: mail.subject ?? '',
      from: mail.from?.address ?? '',
      text: mail.text ?? '',
      html: mail.html ?? '',
      images: mail.attachments
        .filter(({ mimeType }) => mimeType.startsWith('image/'))
        .map((attachment) => ({
          name: attachment.filename ?? 'image',
          mimeType: attachment.mimeType,
          bytes: bytesOf(attachment),
        })),
    }
  }

  return {
    receive: (address, limitMilliseconds = 10_000) =>
      eventually(`a mail to ${address}`, () => newestTo(address), { signal, limitMilliseconds }),
  }
}
