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

/** Splits a mail, lines ended by CRLF, into headers, body and nested parts; nothing is decoded. */
export function parseMailContent(data: string, depth = 0): MailContent {
  const end = data.indexOf('\r\n\r\n')
  const headers = end < 0 ? new Map<string, string[]>() : parseHeaders(data.slice(0, end))
  const body = end < 0 ? data : data.slice(end + 4)
  const boundary = boundaryOf(headers.get('Content-Type')?.[0])
  return {
    Headers: Object.fromEntries(headers),
    Body: body,
    Size: data.length,
    MIME:
      boundary === undefined || depth >= deepestNesting
        ? null
        : { Parts: splitParts(body, boundary).map((part) => parseMailContent(part, depth + 1)) },
  }
}

function parseHeaders(text: string): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (const line of text.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).trimStart()
    headers.set(name, [...(headers.get(name) ?? []), value])
  }
  return headers
}

function boundaryOf(contentType: string | undefined): string | undefined {
  if (!contentType || !/^multipart\//i.test(contentType)) return undefined
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)
  return match?.[1] ?? match?.[2]
}

function splitParts(body: string, boundary: string): string[] {
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`)
  const closing = parts.findIndex((part, index) => index > 0 && part.startsWith('--'))
  return parts
    .slice(1, closing < 0 ? undefined : closing)
    .map((part) => part.replace(/^[ \t]*\r\n/, ''))
}
