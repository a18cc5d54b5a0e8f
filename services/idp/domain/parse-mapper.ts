/** How one claim is made. */
export interface Mapper {
  readonly claim: string
  /** Members to follow into the credential; several values are joined with a space. */
  readonly paths: readonly (readonly string[])[]
}

const pattern = /^([A-Za-z0-9_.:/-]{1,100})\s*=\s*([A-Za-z0-9_.+\s-]{1,1000})$/
const path = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/

/** Claims that are the provider's own (OpenID Connect Core 2, RFC 7519) or computed. */
const reserved = new Set(
  'iss sub aud exp iat nbf jti azp nonce auth_time acr amr at_hash c_hash s_hash sid scope client_id cnf grant_id'.split(
    ' ',
  ),
)

/**
 * Reads a mapper in the syntax `key = path.to.field` (document 1, IDP id_token claims). Beyond it,
 * `key = first.path + second.path` joins two values, which `name` needs. Undefined where it is
 * none, or names a claim that is not a mapper's to make.
 */
export function parseMapper(text: string): Mapper | undefined {
  const [, claim, right] = pattern.exec(text.trim()) ?? []
  if (claim === undefined || right === undefined || reserved.has(claim)) return undefined
  const paths = right.split('+').map((each) => each.trim())
  if (!paths.every((each) => path.test(each))) return undefined
  return { claim, paths: paths.map((each) => each.split('.')) }
}
