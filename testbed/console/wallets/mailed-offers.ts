import { z } from 'zod'
import { findLink } from '#core/link/find-link.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'

/** An email with the QR code of a credential offer. */
export interface MailedOffer {
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

const zMessages = z.object({
  items: z.array(z.object({ ID: z.string(), MIME: z.object({ Parts: z.array(zPart) }).nullish() })),
})

const newest = 10
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
  const { json } = await mail.getJson(`/api/v2/messages?limit=${newest}`)
  const messages = zMessages.safeParse(json)
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
