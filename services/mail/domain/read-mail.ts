import { decodeWords } from 'postal-mime'

/** An email in readable form. */
export interface ReadMail {
  readonly subject: string
  readonly text: string | undefined
  readonly html: string | undefined
  /** Images by their Content-ID in the HTML, without its angle brackets. */
  readonly images: ReadonlyMap<string, MailImage>
  /** The first value of a header; `name` is in lower case. */
  header(name: string): string | undefined
}

export interface MailImage {
  readonly mediaType: string
  readonly base64: string
}

/**
 * Parses an email: the first text, the first HTML part, and the images. Uses an attached text if
 * there is no other, as in offer emails. Takes linear time for any input: `PostalMime.parse` takes
 * quadratic time for some HTML and microseconds for every line.
 */
export function readMail(data: Uint8Array): ReadMail {
  // One character per byte, so that each part can be decoded with its own charset.
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

/** Headers and body of an email or of one of its parts, undecoded as in MailHog. */
export interface MailContent {
  readonly Headers: Readonly<Record<string, readonly string[]>>
  readonly Body: string
  readonly Size: number
  readonly MIME: MailMime | null
}

export interface MailMime {
  readonly Parts: readonly MailContent[]
}

const deepestNesting = 10

const mostParts = 1000

const largestHeaders = 64 * 1024

/**
 * Splits an email with CRLF line ends into headers, body and nested parts, without decoding. Takes
 * linear time and memory: parts beyond the limits stay in the body that contains them.
 */
export function parseMailContent(data: string): MailContent {
  return parse(data, 0, { parts: mostParts })
}

function parse(data: string, depth: number, left: { parts: number }): MailContent {
  const end = data.indexOf('\r\n\r\n')
  const headers = end < 0 ? new Map<string, string[]>() : parseHeaders(data.slice(0, end))
  const body = end < 0 ? data : data.slice(end + 4)
  const Headers = Object.fromEntries(headers)
  const boundary = boundaryOf(headerOf({ Headers }, 'content-type'))
  return {
    Headers,
    Body: body,
    Size: data.length,
    MIME:
      boundary === undefined || depth >= deepestNesting
        ? null
        : { Parts: splitParts(body, boundary, left).map((part) => parse(part, depth + 1, left)) },
  }
}

/** The first value of a header, ignoring the case of its name. */
function headerOf({ Headers }: Pick<MailContent, 'Headers'>, name: string): string | undefined {
  const given = Object.keys(Headers).find((each) => each.toLowerCase() === name)
  return given === undefined ? undefined : Headers[given]?.[0]
}

function parseHeaders(text: string): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  const unfolded = text.slice(0, largestHeaders).replace(/\r\n(?=[ \t])/g, '')
  for (const line of unfolded.split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon)
    const values = headers.get(name)
    const value = line.slice(colon + 1).trimStart()
    if (values === undefined) headers.set(name, [value])
    else values.push(value)
  }
  return headers
}

function boundaryOf(contentType: string | undefined): string | undefined {
  if (!contentType || !/^multipart\//i.test(contentType)) return undefined
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)
  return match?.[1] ?? match?.[2]
}

function splitParts(body: string, boundary: string, left: { parts: number }): string[] {
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`, left.parts + 2)
  const closing = parts.findIndex((part, index) => index > 0 && part.startsWith('--'))
  const inside = parts.slice(1, closing < 0 ? undefined : closing).slice(0, left.parts)
  left.parts -= inside.length
  return inside.map((part) => part.replace(/^[ \t]*\r\n/, ''))
}

// RFC 5322, 2.1.1. A longer one need not be decoded completely.
const longestSubject = 998

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

/** Decodes the Content-Transfer-Encoding (RFC 2045, section 6). */
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
