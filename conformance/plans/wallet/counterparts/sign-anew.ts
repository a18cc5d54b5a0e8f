import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { type JwsHeader, parseJws } from '#core/crypto/jws.ts'
import type { SignDraft } from '../../../world/defects/defect.ts'

/** Signs a JWT anew in another way; header and payload stay as they are. */
export function signAnew(jwt: string, sign: SignDraft, privateKey: PrivateJwk): string {
  const jws = parseJws(jwt)
  if (!jws.ok) throw new TypeError(jws.reason)
  return sign(jws.header as JwsHeader, jws.payload, privateKey)
}
