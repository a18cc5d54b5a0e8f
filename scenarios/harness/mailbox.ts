import { setTimeout as wait } from 'node:timers/promises'
import PostalMime, { type Attachment } from 'postal-mime'
import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { expectJson } from './expectations.ts'
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
   * @throws TestbedError `no_mail` where none came within the limit (milliseconds, default 10 000)
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
    const { items } = zSearchAnswer.parse(expectJson(answer, 200))
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
    async receive(address, limitMilliseconds = 10_000) {
      const end = performance.now() + limitMilliseconds
      do {
        const mail = await newestTo(address)
        if (mail !== undefined) return mail
        await wait(50, undefined, { signal })
      } while (performance.now() < end)
      throw new TestbedError({
        code: 'no_mail',
        status: 504,
        message: `No mail to ${address} came within ${limitMilliseconds} ms.`,
      })
    },
  }
}
