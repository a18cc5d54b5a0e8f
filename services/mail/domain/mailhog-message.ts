import { type MailContent, type MailMime, parseMailContent } from './read-mail.ts'

/** A mail as it came in over SMTP. */
export interface ReceivedMail {
  readonly id: string
  /** Unix time in milliseconds. */
  readonly receivedAt: number
  readonly from: string
  readonly to: readonly string[]
  readonly helo: string
  readonly data: Uint8Array
}

type MailhogHeaders = MailContent['Headers']

interface MailhogPath {
  readonly Relays: null
  readonly Mailbox: string
  readonly Domain: string
  readonly Params: ''
}

/** A mail in the form of MailHog's HTTP API. */
export interface MailhogMessage {
  readonly ID: string
  readonly From: MailhogPath
  readonly To: readonly MailhogPath[]
  readonly Content: Omit<MailContent, 'MIME'> & { readonly MIME: null }
  readonly Created: string
  readonly MIME: MailMime | null
  readonly Raw: {
    readonly From: string
    readonly To: readonly string[]
    readonly Data: string
    readonly Helo: string
  }
}

/** Puts a received mail into the form that clients of MailHog's HTTP API read. */
export function createMailhogMessage(mail: ReceivedMail): MailhogMessage {
  const data = Buffer.from(mail.data).toString('utf8')
  const { MIME, ...content } = parseMailContent(data)
  return {
    ID: mail.id,
    From: pathOf(mail.from),
    To: mail.to.map(pathOf),
    Content: { ...content, Headers: addTraceHeaders(content.Headers, mail), MIME: null },
    Created: new Date(mail.receivedAt).toISOString(),
    MIME,
    Raw: { From: mail.from, To: mail.to, Data: data, Helo: mail.helo },
  }
}

/** What MailHog adds to the headers: an own Message-ID where there is none, and the mail's way. */
function addTraceHeaders(headers: MailhogHeaders, mail: ReceivedMail): MailhogHeaders {
  const nameOf = (wanted: string) =>
    Object.keys(headers).find((name) => name.toLowerCase() === wanted.toLowerCase()) ?? wanted
  const received = nameOf('Received')
  const returnPath = nameOf('Return-Path')
  const time = new Date(mail.receivedAt).toUTCString().replace('GMT', '+0000')
  return {
    ...headers,
    [nameOf('Message-ID')]: headers[nameOf('Message-ID')] ?? [mail.id],
    [received]: [
      ...(headers[received] ?? []),
      `from ${mail.helo} by lear-testbed (MailHog API)\r\n          id ${mail.id}; ${time}`,
    ],
    [returnPath]: [...(headers[returnPath] ?? []), `<${mail.from}>`],
  }
}

export const searchKinds = ['from', 'to', 'containing'] as const
export type SearchKind = (typeof searchKinds)[number]

// No query holds it: what is searched for lies within one header or within the body.
const separator = '\u001f'

/** The texts in which MailHog's search looks for a part, in any case of letters. */
export function searchTextsOf(mail: ReceivedMail): Readonly<Record<SearchKind, string>> {
  const { Headers, Body } = parseMailContent(Buffer.from(mail.data).toString('utf8'))
  const join = (texts: readonly string[]) => texts.join(separator).toLowerCase()
  return {
    from: join([addressOf(pathOf(mail.from)), ...(Headers.From ?? [])]),
    to: join([...mail.to.map((address) => addressOf(pathOf(address))), ...(Headers.To ?? [])]),
    containing: join([...Object.values(addTraceHeaders(Headers, mail)).flat(), Body]),
  }
}

function pathOf(address: string): MailhogPath {
  const at = address.indexOf('@')
  return {
    Relays: null,
    Mailbox: at < 0 ? address : address.slice(0, at),
    Domain: at < 0 ? '' : address.slice(at + 1),
    Params: '',
  }
}

function addressOf({ Mailbox, Domain }: MailhogPath): string {
  return `${Mailbox}@${Domain}`
}
