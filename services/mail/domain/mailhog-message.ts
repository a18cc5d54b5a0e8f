import { type MailContent, type MailMime, parseMailContent } from './read-mail.ts'

/** An email as received over SMTP. */
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

/** An email in the format of MailHog's HTTP API. */
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

/** Converts a received email to the format of MailHog's HTTP API. */
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

/** Headers that MailHog adds: a Message-ID if there is none, and the path of the email. */
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

// Not part of any query: a match is within one header or within the body.
const separator = '\u001f'

/** The texts that MailHog's search compares with a query, ignoring case. */
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
