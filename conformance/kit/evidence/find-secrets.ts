import { parseJson } from '#core/json/read-json.ts'
import { decodePercent } from '#core/text/decode-percent.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'

/** A value of an exchange that must not be shown: not at all, or only its first characters. */
export interface Secret {
  readonly value: string
  /** A code or token. Its first characters explain where it went. */
  readonly isCode: boolean
}

const secretNames =
  /^(x-api-key|\w*password|client_secret|private_?key|tx_code|user_pin|pin|code_verifier|csrf.*)$/i
const codeNames =
  /^(code|pre-authorized_code|preauth_code|response_code|device_code|user_code|ticket|token|\w*(access|refresh|acceptance)_token)$/i
// Error names are in a member `code` too. A long random string never has letters of one case only.
const wordsOnly = /^(?:[a-z]+([_. -][a-z]+)*|[A-Z]+([_. -][A-Z]+)*)$/
// The header and payload of a token are shown; its signature is cut everywhere.
const token = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/
const shortest = 4

function fromMember(name: string, value: string): Secret[] {
  const isCode = codeNames.test(name)
  if (!isCode && !secretNames.test(name)) return []
  if (value.length < shortest || token.test(value) || (isCode && wordsOnly.test(value))) return []
  return [{ value, isCode }]
}

function fromValue(value: unknown, depth = 0): Secret[] {
  if (value === null || typeof value !== 'object' || depth > 10) return []
  return Object.entries(value).flatMap(([name, member]) => {
    // A number named code is that of an error.
    if (typeof member === 'number' && secretNames.test(name)) {
      return fromMember(name, String(member))
    }
    if (typeof member !== 'string') return fromValue(member, depth + 1)
    const inner = /^\s*[{[]/.test(member) ? fromValue(parseJson(member), depth + 1) : []
    return [...fromMember(name, member), ...inner]
  })
}

function fromUrl(address: string): Secret[] {
  if (!URL.canParse(address, 'http://relative')) return []
  const { searchParams, hash, password } = new URL(address, 'http://relative')
  const parameters = [...searchParams, ...new URLSearchParams(hash.slice(1))]
  return [
    ...fromValue(Object.fromEntries(parameters)),
    ...[password, decodePercent(password) ?? '']
      .filter((value) => value !== '')
      .map((value) => ({ value, isCode: false })),
  ]
}

/** RFC 7617: name and password in Base64, of which the password is the secret. */
function fromAuthorization(value: string): Secret[] {
  const [scheme = '', credentials = ''] = value.split(/ +/)
  if (credentials.length < shortest || token.test(credentials)) return []
  if (!/^basic$/i.test(scheme)) return [{ value: credentials, isCode: true }]
  const decoded = Buffer.from(credentials, 'base64').toString()
  const password = decoded.slice(decoded.indexOf(':') + 1)
  return [
    { value: credentials, isCode: false },
    ...(password.length < shortest ? [] : [{ value: password, isCode: false }]),
  ]
}

function fromCookies(value: string): Secret[] {
  return value
    .split(/[;,] */)
    .filter((part) => !/^(path|domain|expires|max-age|samesite|priority)=/i.test(part))
    .map((part) => part.slice(part.indexOf('=') + 1))
    .filter((secret) => secret.length >= 8 && !/^(httponly|secure|partitioned)$/i.test(secret))
    .map((secret) => ({ value: secret, isCode: false }))
}

function fromHeaders(headers: Readonly<Record<string, string>> = {}): Secret[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (/^(proxy-)?authorization$/i.test(name)) return fromAuthorization(value)
    if (/^(set-)?cookie$/i.test(name)) return fromCookies(value)
    return /^(location|referer)$/i.test(name) ? fromUrl(value) : fromMember(name, value)
  })
}

/**
 * Values that an attacker could use: in `Authorization`, `x-api-key` and cookies, and codes, PINs,
 * passwords and tokens in addresses and bodies. Bodies must be decoded.
 */
export function findSecrets(hop: Omit<Hop, 'id'>): Secret[] {
  return [
    ...fromUrl(hop.url),
    ...fromHeaders(hop.requestHeaders),
    ...fromHeaders(hop.responseHeaders),
    ...fromValue(hop.requestBody),
    ...fromValue(hop.responseBody),
  ]
}
