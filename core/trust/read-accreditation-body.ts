import { decodeBase64url } from '#core/crypto/base64url.ts'
import { type ParsedJws, parseJws } from '#core/crypto/parse-jws.ts'

/**
 * The accreditation JWT in `attribute.body`, which the document gives as "accreditation JWT,
 * base64url": read both as the base64url of the JWT and as the JWT itself. Undefined where it is
 * neither.
 */
export function readAccreditationBody(body: string): ParsedJws | undefined {
  const bytes = body.includes('.') ? undefined : decodeBase64url(body)
  const jws = parseJws(bytes ? Buffer.from(bytes).toString('utf8') : body)
  return jws.ok ? jws : undefined
}
