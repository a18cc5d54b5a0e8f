import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createMac, macForgeries } from '../../kit/mac-secrets.ts'
import { leaveUnsigned, type SignDraft, signingInput } from './defect.ts'

type Forgeries = Readonly<Record<string, SignDraft>>

/** No signature, to follow the name of the token: `it` `is not signed: …`. */
export const unsignedForms: Forgeries = {
  ...Object.fromEntries(
    ['None', 'NONE', 'nOnE'].map((alg): [string, SignDraft] => [
      `is not signed: alg is ${alg}`,
      (header, payload) => `${signingInput({ ...header, alg }, payload)}.`,
    ]),
  ),
  // Some libraries accept alg none if they get no key.
  'is not signed, and its kid is unknown': (header, payload, privateKey) => {
    const kid = header.kid?.replace(/#.*/, `#${'A'.repeat(43)}`) ?? ''
    return leaveUnsigned({ ...header, kid }, payload, privateKey)
  },
}

/** A MAC with a secret that anyone knows, as text like `unsignedForms`. */
export const macForms: Forgeries = Object.fromEntries(
  macForgeries.map((forgery): [string, SignDraft] => [
    `has a MAC (${forgery.alg}) with ${forgery.secret}`,
    (header, payload, privateKey) => {
      const input = signingInput({ ...header, alg: forgery.alg }, payload)
      return `${input}.${encodeBase64url(createMac(forgery, input, privateKey))}`
    },
  ]),
)
