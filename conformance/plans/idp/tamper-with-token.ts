import { decodeJwt, decodeProtectedHeader } from 'jose'

interface ChangedToken {
  /** As the subject of a sentence. */
  readonly what: string
  readonly token: string
  readonly isPractice?: boolean
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Another last character, which a lenient decoder reads as the same bytes. */
const lastOf = (text: string) => alphabet[alphabet.indexOf(text.slice(-1)) ^ 1] ?? ''

/** Changed copies of a signed JWT, which fail the verification of its signature. */
export function tamperWith(token: string): readonly ChangedToken[] {
  if (!isJwt(token)) return []
  const [header = '', payload = '', signature = ''] = token.split('.')
  const none = encode({ ...decodeProtectedHeader(token), alg: 'none' })
  const claims = decodeJwt(token)
  const others = encode({ ...claims, sub: 'another person' })
  const bytes = Buffer.from(signature, 'base64url')
  bytes[0] = (bytes[0] ?? 0) ^ 1
  return [
    {
      what: 'An access token with another scope',
      token: `${header}.${encode({ ...claims, scope: `${claims.scope} more` })}.${signature}`,
    },
    { what: 'An access token with another subject', token: `${header}.${others}.${signature}` },
    {
      what: 'An access token with another signature',
      token: `${header}.${payload}.${bytes.toString('base64url')}`,
    },
    // The last character of a signature of 256 bytes has four unused bits.
    {
      what: 'An access token with another spelling of its signature',
      token: `${header}.${payload}.${signature.slice(0, -1)}${lastOf(signature)}`,
      isPractice: true,
    },
    { what: 'An access token without its signature', token: `${header}.${payload}.` },
    { what: 'An access token with alg none', token: `${none}.${payload}.` },
  ]
}
