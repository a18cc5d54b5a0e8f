import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'

const what = "The credential brings along the key that signed it, under the issuer's kid."

export const check = defineVerifierCheck({
  id: 'V83',
  title: 'A credential that brings its own key along is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
  description:
    "The signature verifies against the issuer's DID document: a library that prefers the header's jwk verifies everything.",
  sends:
    "A credential in the issuer's name, signed by a key of somebody's own, which is in its header as jwk.",
  decides: 'It may not be accepted.',
  run: (context) =>
    expectRefused(context, [
      {
        what,
        defect: {
          name: 'key-in-header',
          description: what,
          sign: (header, payload) => {
            const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
            return signJws({
              header: { ...header, jwk: publicJwkOf(privateKey) },
              payload,
              privateKey,
            })
          },
        },
      },
    ]),
})
