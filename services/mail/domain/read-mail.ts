import { decodeWords } from 'postal-mime'
import { headerOf, type MailContent, parseMailContent } from './parse-mail-content.ts'

/** A mail as a person reads it. */
export interface ReadMail {
  readonly subject: string
  readonly text: string | undefined
  readonly html: string | undefined
  /** Images by the Content-ID that the HTML names, without its angle brackets. */
  readonly images: ReadonlyMap<string, MailImage>
  /** The first value of a header; `name` is in lower case. */
  header(name: string): string | undefined
}

export interface MailImage {
  readonly mediaType: string
  readonly base64: string
}

// RFC 5322, 2.1.1. What is longer need not be decoded as a person would.
const longestSubject = 998

/**
 * Reads a mail: the first text, the first HTML part, and the images. A text that is attached counts
 * where there is no other, as in offer mails. Takes linear time, whatever the sender made of it:
 * `PostalMime.parse` takes quadratic time for some HTML and microseconds for every line.
 */
export function readMail(data: Uint8Array): ReadMail {
  // One character a byte, so that each part can be decoded by its own charset.
  const mail = parseMailContent(Buffer.from(data).toString('latin1'))
  const leaves = leavesOf(mail)
  const textOf = (type: string) => {
    const parts = leaves.filter((leaf) => mediaTypeOf(leaf) === type)
    const part = parts.find((each) => !isAttachment(each)) ?? parts[0]
    return part && decodeText(part)
  }
  const subject = headerOf(mail, 'subject') ?? ''
  return {
    subject: decodeWords(utf8Of(subject.slice(0, longestSubject))),
    text: textOf('text/plain'),
    html: textOf('text/html'),
    images: imagesOf(leaves),
    header: (name) => headerOf(mail, name),
  }
}

function leavesOf(content: MailContent): MailContent[] {
  return content.MIME === null ? [content] : content.MIME.Parts.flatMap(leavesOf)
}

function imagesOf(leaves: readonly MailContent[]): ReadonlyMap<string, MailImage> {
  return new Map(
    leaves.flatMap((leaf): [string, MailImage][] => {
      const id = /^<(.+)>$/.exec(headerOf(leaf, 'content-id')?.trim() ?? '')?.[1]
      const mediaType = mediaTypeOf(leaf)
      if (id === undefined || !/^image\/(png|jpeg|gif)$/.test(mediaType)) return []
      return [[id, { mediaType, base64: decodeBytes(leaf).toString('base64') }]]
    }),
  )
}

function mediaTypeOf(content: MailContent): string {
  const type = headerOf(content, 'content-type') ?? 'text/plain'
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}

const isAttachment = (content: MailContent) =>
  /^\s*attachment/i.test(headerOf(content, 'content-disposition') ?? '')

/** Undoes the Content-Transfer-Encoding (RFC 2045, section 6). */
function decodeBytes(content: MailContent): Buffer {
  const encoding = (headerOf(content, 'content-transfer-encoding') ?? '').trim().toLowerCase()
  if (encoding === 'base64') return Buffer.from(content.Body, 'base64')
  if (encoding !== 'quoted-printable') return Buffer.from(content.Body, 'latin1')
  const decoded = content.Body.replace(/=\r\n/g, '').replace(/=([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(decoded, 'latin1')
}

function decodeText(content: MailContent): string {
  const type = headerOf(content, 'content-type') ?? ''
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(type)?.[1] ?? 'utf-8'
  const bytes = decodeBytes(content)
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

const utf8Of = (latin1: string) => Buffer.from(latin1, 'latin1').toString('utf8')
