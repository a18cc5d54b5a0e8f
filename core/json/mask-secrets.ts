const secretNames =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|\w*password|client_secret|private_?key|tx_code|pin|key|code_verifier|csrf.*|d)$/i

// Matches only at the start of a run of its characters; otherwise it would take quadratic time.
const tokenPattern = /(?<![\w-])(?=[\w-]*eyJ)([\w-]+\.[\w-]+)\.[\w-]+/g
// Includes tokens, for clients that send them in the wrong place. JWTs are already cut.
const codeInText =
  /((?:pre-authorized_code|preauth_code|response_code|ticket|(?:access|refresh|acceptance)_token)(?:"|%22)?(?:=|:|%3A)(?:"|%22)?)(?!eyJ)([A-Za-z0-9_-]{8})[A-Za-z0-9_-]+/g
// An authorization code in the query of a redirect (RFC 6749, 4.1.2).
const authorizationCode = /([?&]code=)([A-Za-z0-9_-]{8})[A-Za-z0-9_-]+/g
const secretInForm = /((?:^|[?&])(?:tx_code|client_secret|password)=)[^&\s"]+/g

// RFC 3986, 3.2.1: a user name and a password before the host.
const passwordInAddress = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:]*:)[^\s/?#@]+@/gi

/** Removes the parts that make a token or code usable and keeps the parts that explain it. */
export function maskText(text: string): string {
  const cut = text.includes('eyJ') ? text.replace(tokenPattern, '$1.…') : text
  // Most texts are names and identifiers, in which the other patterns find nothing.
  if (!/=|:|%3A/.test(cut)) return cut
  return cut
    .replace(codeInText, '$1$2…')
    .replace(authorizationCode, '$1$2…')
    .replace(secretInForm, '$1•••')
    .replace(passwordInAddress, '$1•••@')
}

const opaqueCodes =
  /^(pre-authorized_code|preauth_code|code|refresh_token|access_token|acceptance_token|response_code)$/i

/** Members of a JWK (RFC 7518, section 6); `d` is masked everywhere. */
const privateJwkMembers = new Set(['p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])

type Replace = (text: string) => string

/**
 * Returns a copy of a message for traces and reports: secret members are replaced, signatures of
 * tokens are cut (header and payload stay, so that a report can decode them), long text is
 * shortened.
 * @param replace applied to each string and each name of a member as well
 */
export const maskSecrets = (value: unknown, replace: Replace = (text) => text): unknown =>
  maskValue(value, replace, 0)

function maskValue(value: unknown, replace: Replace, depth: number): unknown {
  if (depth > 12) return '…'
  if (typeof value === 'string') {
    const masked = replace(maskText(value))
    return masked.length > 16_384 ? `${masked.slice(0, 16_384)}…` : masked
  }
  if (value instanceof Uint8Array) return `<${value.byteLength} bytes>`
  if (Array.isArray(value)) {
    return value.slice(0, 200).map((item) => maskValue(item, replace, depth + 1))
  }
  if (value !== null && typeof value === 'object') {
    const isKey = 'kty' in value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        replace(name),
        isKey && privateJwkMembers.has(name) ? '•••' : maskMember(name, member, replace, depth),
      ]),
    )
  }
  return value
}

function maskMember(name: string, value: unknown, replace: Replace, depth: number): unknown {
  // In an offer, tx_code is an object that describes the PIN, not the PIN itself.
  const isDescription = name === 'tx_code' && value !== null && typeof value === 'object'
  if (secretNames.test(name) && !isDescription) return '•••'
  if (opaqueCodes.test(name) && typeof value === 'string' && !value.startsWith('eyJ')) {
    return `${replace(value).slice(0, Math.min(8, value.length / 2))}…`
  }
  return maskValue(value, replace, depth + 1)
}
