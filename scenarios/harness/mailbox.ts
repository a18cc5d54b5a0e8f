import mailhog from 'mailhog'
import type { HttpClient } from './http-client.ts'
import { eventually } from './waiting.ts'

export interface ReceivedMail {
  readonly subject: string
  readonly from: string
  readonly text: string
  readonly html: string
  readonly images: readonly {
    readonly name: string
    readonly mimeType: string
    /** The id that the HTML uses for it, without angle brackets. */
    readonly contentId: string
    bytes: Uint8Array
  }[]
}

export interface Mailbox {
  /**
   * The newest email to an address; waits until it arrives.
   * @throws TestbedError `not_in_time` if none arrives within the limit (milliseconds, default 10
   * 000)
   */
  receive(address: string, limitMilliseconds?: number): Promise<ReceivedMail>
  /** All received emails to an address, newest first. */
  list(address: string): Promise<readonly ReceivedMail[]>
}

/** The headers of a part, which the client's types omit. */
const headersOf = (part: unknown): Record<string, readonly string[]> => Object(part).Headers ?? {}

const mostListed = 50
const requestMilliseconds = 15_000

/** Reads received emails with the `mailhog` client, from the embedded server or a real MailHog. */
export function createMailbox(http: HttpClient, apiUrl: string, signal: AbortSignal): Mailbox {
  const { protocol, hostname, port, pathname } = new URL(apiUrl)
  // Unlike a URL, a connection takes an IPv6 address without brackets.
  const host = hostname.replace(/^\[|\]$/g, '')

  async function search(address: string, limit: number): Promise<ReceivedMail[]> {
    // The client passes its options to `http.request`, so they may contain headers and a signal
    // too.
    const options = {
      protocol,
      host,
      port: Number(port),
      basePath: `${pathname.replace(/\/$/, '')}/api`,
      headers: http.tags(),
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMilliseconds)]),
    }
    const found = await mailhog(options).search(address, 'to', 0, limit)
    return (found?.items ?? []).map(readMail)
  }

  return {
    receive: (address, limitMilliseconds = 10_000) =>
      eventually(`an email to ${address}`, async () => (await search(address, 1))[0], {
        signal,
        limitMilliseconds,
      }),
    list: (address) => search(address, mostListed),
  }
}

function readMail(mail: mailhog.Message): ReceivedMail {
  // White space between two encoded words is not part of the text (RFC 2047, 6.2).
  const headers = 'Content' in mail ? headersOf(mail.Content) : {}
  if (headers.Subject)
    headers.Subject = headers.Subject.map((line) => line.replace(/\?=\s+=\?/g, '?==?'))
  return {
    subject: mail.subject ?? '',
    from: /<([^<>]+)>\s*$/.exec(mail.from ?? '')?.[1] ?? mail.from ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    images: mail.attachments.flatMap(readImage),
  }
}

function readImage(part: mailhog.Attachment): ReceivedMail['images'] {
  const { name, type, encoding, Body } = part
  if (!type.startsWith('image/')) return []
  const headers = headersOf(part)
  return [
    {
      name,
      mimeType: type.replace(/;.*$/s, ''),
      contentId: headers['Content-ID']?.[0]?.replace(/^<|>$/g, '') ?? '',
      bytes: Buffer.from(Body, encoding === 'base64' ? 'base64' : 'latin1'),
    },
  ]
}
