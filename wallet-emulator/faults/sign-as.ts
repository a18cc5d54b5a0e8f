import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { createSignature } from '#core/crypto/jws.ts'
import type { SigningAlgorithm } from '#core/crypto/suites.ts'
import type { Change, FaultContext, JwsDraft } from './wallet-fault.ts'

export interface Signer {
  readonly did: string
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly privateKey: PrivateJwk
}

/** A deviation that lets somebody else say it, with a good signature of a key of their own. */
export function signAs(signerOf: (context: FaultContext) => Signer): Change<JwsDraft> {
  return {
    members: ['header.alg', 'header.kid', 'payload.iss', 'signature'],
    apply: ({ header, payload }, context) => {
      const { did, kid, algorithm, privateKey } = signerOf(context)
      return {
        header: { ...header, alg: algorithm, kid },
        payload: { ...payload, iss: did },
        sign: (signingInput) => createSignature(algorithm, privateKey, Buffer.from(signingInput)),
      }
    },
  }
}
