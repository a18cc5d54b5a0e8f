/** Headers and body of a mail or of one of its parts, as MailHog shows them: undecoded. */
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
 * Splits a mail, lines ended by CRLF, into headers, body and nested parts; nothing is decoded. Takes
 * linear time and memory: what goes beyond the limits stays in the body that contains it.
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

/** The first value of a header, in whatever case its name was sent. */
export function headerOf(
  { Headers }: Pick<MailContent, 'Headers'>,
  name: string,
): string | undefined {
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
