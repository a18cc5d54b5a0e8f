import { z } from 'zod'
import { findLink, type LinkKind } from '#core/link/find-link.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import { dependencyUnavailable } from '#kit/errors.ts'
import type { Runtime } from '#kit/runtime.ts'
import { createMailFrame } from '#services/mail/domain/mail-frame.ts'
import { type MailImage, readMail } from '#services/mail/domain/read-mail.ts'

/** A line of the inbox. */
export interface MailSummary {
  readonly id: string
  readonly subject: string
  readonly to: readonly string[]
  /** RFC 3339. */
  readonly receivedAt: string
}

/** A page of the inbox. */
export interface MailPage {
  /** From 1, the newest. */
  readonly page: number
  readonly pages: number
  /** The emails of all pages. */
  readonly total: number
  /** The number of the first email of the page, from 1. */
  readonly first: number
  readonly mails: readonly MailSummary[]
}

/** A QR code in an email. */
export interface MailQrCode {
  /** Its content. */
  readonly text: string
  /** Set if the content is a link for wallets. */
  readonly kind: LinkKind | undefined
}

/** An email with everything that its page shows. */
export interface OpenedMail extends MailSummary {
  readonly from: string
  readonly text: string | undefined
  /** Document with the markup of the sender: only for a frame without permissions. */
  readonly frame: string | undefined
  readonly qrCodes: readonly MailQrCode[]
}

/** Every operation throws a TestbedError `dependency_unavailable` if the server does not answer. */
export interface MailReader {
  /** A page of the emails, the newest first; the last page if there are fewer. */
  list(page: number): Promise<MailPage>
  /** How many there are, and the id of the newest. */
  newest(): Promise<{ readonly total: number; readonly newest?: string }>
  /** Undefined if there is no such email. */
  open(id: string): Promise<OpenedMail | undefined>
  /** Deletes one email, or all of them. */
  remove(id?: string): Promise<void>
}

const zMessage = z.object({
  ID: z.string(),
  Created: z.string(),
  Raw: z.object({ From: z.string(), To: z.array(z.string()), Data: z.string() }),
})
const zMessages = z.object({ total: z.int(), items: z.array(zMessage) })

const mailsOfPage = 25
/** Emails contain up to 10 MiB each, and the API returns them completely. */
const portion = 5
const largestPortion = 64 * 1024 * 1024
const shownRecipients = 10
const decodedImages = 5

function summaryOf({ ID, Created, Raw }: z.infer<typeof zMessage>): MailSummary {
  return {
    id: ID,
    subject: readMail(Buffer.from(Raw.Data)).subject,
    to: Raw.To.slice(0, shownRecipients),
    receivedAt: Created,
  }
}

async function readQrCodes(images: ReadonlyMap<string, MailImage>): Promise<MailQrCode[]> {
  const { readQrImage } = await import('#wallet-emulator/qr/read-qr-code.ts')
  return [...images.values()].slice(0, decodedImages).flatMap(({ base64 }) => {
    const read = readQrImage(Buffer.from(base64, 'base64'), { timeLimitMilliseconds: 300 })
    return read.ok ? [{ text: read.text, kind: findLink(read.text)?.kind }] : []
  })
}

/** Reads the mail server through its HTTP API. */
export function createMailReader(runtime: Runtime, mailUrl: string): MailReader {
  const mail = createHttpClient(runtime, {
    caller: 'console',
    dependency: 'mail server',
    baseUrl: mailUrl,
    limit: largestPortion,
  })
  const readPage = async (start: number, limit: number) => {
    const { json, status } = await mail.getJson(`/api/v2/messages?start=${start}&limit=${limit}`)
    const { data } = zMessages.safeParse(json)
    if (data !== undefined) return data
    throw dependencyUnavailable('The mail server did not respond.', `HTTP ${status}`)
  }
  return {
    async list(page) {
      const before = (page - 1) * mailsOfPage
      const mails: MailSummary[] = []
      for (let start = before; ; start += portion) {
        const { total, items } = await readPage(start, portion)
        const pages = Math.max(1, Math.ceil(total / mailsOfPage))
        if (page > pages) return this.list(pages)
        mails.push(...items.map(summaryOf))
        if (items.length < portion || mails.length >= mailsOfPage)
          return { page, pages, total, first: before + 1, mails }
      }
    },
    async newest() {
      const { total, items } = await readPage(0, 1)
      const [first] = items
      return { total, ...(first && { newest: first.ID }) }
    },
    async open(id) {
      const path = `/api/v1/messages/${encodeURIComponent(id)}`
      const answer = await mail.getJson(path)
      const { data: message } = zMessage.safeParse(answer.json)
      if (answer.status !== 200 || message === undefined) return undefined
      // The JSON contains text in UTF-8; the download contains the original bytes.
      const { bytes } = await mail.request(`${path}/download`)
      const { subject, text, html, images } = readMail(bytes)
      return {
        ...summaryOf(message),
        subject,
        from: message.Raw.From,
        text,
        frame: createMailFrame({ html, images }),
        qrCodes: await readQrCodes(images),
      }
    },
    async remove(id) {
      const path = id === undefined ? '' : `/${encodeURIComponent(id)}`
      await mail.request(`/api/v1/messages${path}`, { method: 'DELETE' })
    },
  }
}

/** An email with the QR code of a credential offer. */
interface MailedOffer {
  readonly mailId: string
  /** The offer's link. */
  readonly link: string
}

interface MailPart {
  readonly Headers: Readonly<Record<string, readonly string[]>>
  readonly Body: string
  readonly MIME?: { readonly Parts: readonly MailPart[] } | null | undefined
}

const zPart: z.ZodType<MailPart> = z.lazy(() =>
  z.object({
    Headers: z.record(z.string(), z.array(z.string())),
    Body: z.string(),
    MIME: z.object({ Parts: z.array(zPart) }).nullish(),
  }),
)

const zNewest = z.object({
  items: z.array(z.object({ ID: z.string(), MIME: z.object({ Parts: z.array(zPart) }).nullish() })),
})

const newestMails = 10
const mostParts = 20
/** Milliseconds for all images, in which the testbed does nothing else. Anyone may send an email. */
const longestReading = 5000

/** The offers of the last emails, newest first, read from their attached QR codes. */
export async function findMailedOffers(runtime: Runtime, mailUrl: string): Promise<MailedOffer[]> {
  const mail = createHttpClient(runtime, {
    caller: 'console',
    dependency: 'mail',
    baseUrl: mailUrl,
    limit: 32 * 1024 * 1024,
  })
  const { json } = await mail.getJson(`/api/v2/messages?limit=${newestMails}`)
  const messages = zNewest.safeParse(json)
  if (!messages.success) return []
  const { readQrImage } = await import('#wallet-emulator/qr/read-qr-code.ts')
  const end = performance.now() + longestReading
  return messages.data.items.flatMap(({ ID: mailId, MIME }) => {
    for (const { Headers, Body } of flatten(MIME?.Parts ?? []).slice(0, mostParts)) {
      if (!/^image\/(png|jpeg)/i.test(Headers['Content-Type']?.[0] ?? '')) continue
      if (performance.now() > end) return []
      const read = readQrImage(Buffer.from(Body, 'base64'), { timeLimitMilliseconds: 500 })
      const found = read.ok ? findLink(read.text, 'offer') : undefined
      if (found !== undefined) return [{ mailId, link: found.link }]
    }
    return []
  })
}

const flatten = (parts: readonly MailPart[]): readonly MailPart[] =>
  parts.flatMap((part) => [part, ...flatten(part.MIME?.Parts ?? [])])
