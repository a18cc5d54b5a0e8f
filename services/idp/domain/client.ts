/** How a client may send its secret to the token endpoint (the profile: per client configuration). */
export const authentications = ['either', 'client_secret_basic', 'client_secret_post'] as const

export type Authentication = (typeof authentications)[number]

/** A relying party, without its secret. */
export interface Client {
  readonly clientId: string
  readonly name: string
  readonly authentication: Authentication
  readonly redirectUris: readonly string[]
}

const longest = 2000
const loopback = /^(127\.0\.0\.1|\[::1\]|localhost)$/

/**
 * Describes what is wrong with a redirect URI; undefined if it is valid. Requests are compared with
 * it character by character (the profile: must match the client configuration), so it must have one
 * spelling: absolute, without fragment, user or wildcard.
 * @param allowsHttp whether plain http is allowed for addresses other than loopback
 * @see RFC 6749, 3.1.2; OAuth 2.0 Security Best Current Practice (RFC 9700), 4.1
 */
export function findRedirectUriProblem(text: string, allowsHttp: boolean): string | undefined {
  if (text.length > longest) return `it is longer than ${longest} characters`
  if (!/^[!-~]+$/.test(text)) return 'it contains spaces or characters that are not ASCII'
  if (!URL.canParse(text)) return 'it is not an absolute URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it is not an https URL'
  if (url.protocol === 'http:' && !allowsHttp && !loopback.test(url.hostname)) {
    return 'plain http is only allowed for localhost'
  }
  if (text.includes('#')) return 'it has a fragment'
  if (text.includes('*')) return 'it has a wildcard, which is not supported'
  if (url.username !== '' || url.password !== '') return 'it contains a user name or password'
  if (url.href !== text && url.href !== `${text}/`) return `write it as browsers do: ${url.href}`
  return undefined
}

/** A client's form as entered. */
export interface ClientForm {
  readonly clientId: string
  readonly name: string
  readonly authentication: string
  /** One per line. */
  readonly redirectUris: string
}

/** An invalid field and its problem, in plain text. */
export interface FieldProblem {
  readonly field: keyof ClientForm
  readonly message: string
  /** Of the message, BCP 47. Default: `en`. */
  readonly language?: string
}

export type ParsedClient =
  | { readonly ok: true; readonly client: Client }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

const mostUris = 20

/** Parses a client's form and reports the problems of all fields. */
export function parseClient(form: ClientForm, allowsHttp: boolean): ParsedClient {
  const problems: FieldProblem[] = []
  const clientId = form.clientId.trim()
  const name = form.name.trim()
  if (!/^[A-Za-z0-9._~-]{1,100}$/.test(clientId)) {
    problems.push({
      field: 'clientId',
      message: 'Use 1 to 100 of these characters: letters, digits and . _ ~ -',
    })
  }
  if (!/^[^\p{Cc}]{1,100}$/u.test(name)) {
    problems.push({ field: 'name', message: 'Enter a name of 1 to 100 characters.' })
  }
  const isKnown = (text: string): text is Authentication =>
    (authentications as readonly string[]).includes(text)
  const { authentication } = form
  if (!isKnown(authentication)) {
    problems.push({ field: 'authentication', message: 'Choose one of the options.' })
  }
  const { redirectUris, messages } = readUris(form.redirectUris, allowsHttp)
  problems.push(...messages.map((message) => ({ field: 'redirectUris', message }) as const))
  if (problems.length > 0 || !isKnown(authentication)) return { ok: false, problems }
  return { ok: true, client: { clientId, name, authentication, redirectUris } }
}

function readUris(text: string, allowsHttp: boolean) {
  const messages: string[] = []
  const redirectUris = new Set<string>()
  for (const [index, content] of text.split(/\r\n|\n|\r/).entries()) {
    const uri = content.trim()
    if (uri === '') continue
    const problem = findRedirectUriProblem(uri, allowsHttp)
    if (problem !== undefined) messages.push(`Line ${index + 1}: ${problem}.`)
    redirectUris.add(uri)
  }
  if (redirectUris.size === 0) messages.push('Enter at least one URI.')
  if (redirectUris.size > mostUris) messages.push(`Enter at most ${mostUris} URIs.`)
  return { redirectUris: [...redirectUris], messages: messages.slice(0, mostUris) }
}
