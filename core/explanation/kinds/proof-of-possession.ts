import { proofOfPossessionType } from '#core/oid4vci/proof-of-possession/create-proof-of-possession.ts'
import {
  checkedProofRules,
  verifyProofOfPossession,
} from '#core/oid4vci/proof-of-possession/verify-proof-of-possession.ts'
import type { ExplainOptions } from '../explain-options.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import { factsOf, timeOf } from '../facts-of.ts'
import { asObject, type InputJwt, readJwt } from '../read-input.ts'

/** A proof of possession: the JWT alone, or in a credential request. */
export const proofOfPossessionKind: ExplainableKind = {
  kind: 'proof-of-possession',
  title: 'proof of possession',
  recognise: ({ jwt, json, jwtProblem }) => {
    if (jwt?.jws.header.typ === proofOfPossessionType) {
      return {
        ok: true,
        by: `a JWT of typ ${proofOfPossessionType}`,
        explain: (options) => explainProof(jwt, options),
      }
    }
    const { jwt: inside } = asObject(json?.proof) ?? {}
    const proof = typeof inside === 'string' ? readJwt(inside) : undefined
    if (proof?.ok) {
      return {
        ok: true,
        by: 'a credential request with a proof',
        explain: (options) => ({
          ...explainProof(proof.jwt, options),
          dialect: { kind: 'credential-request', message: json },
        }),
      }
    }
    return notRecognised(
      jwt
        ? `the JWT is not of typ ${proofOfPossessionType}`
        : `it is no JWT: ${jwtProblem}; nor JSON with a proof`,
    )
  },
}

function explainProof({ compact, jws }: InputJwt, options: ExplainOptions): ExplainedContent {
  const { audience, nonce, now } = options
  const result = verifyProofOfPossession({
    jwt: compact,
    credentialIssuer: audience,
    cNonce: nonce === undefined ? 'not-known' : { value: nonce, expiresAt: Infinity },
    now,
  })
  const failures = result.ok ? [] : result.failures
  const { iss, aud, iat } = jws.payload
  return {
    failures,
    checked: checkedProofRules(failures).map((entry) => ({ ...entry, notes: [] })),
    facts: factsOf([
      ['Holder', iss],
      ['For', aud],
      ['Nonce', jws.payload.nonce],
      ['Made', timeOf(iat)],
      ['Algorithm', jws.header.alg],
    ]),
    content: { header: jws.header, payload: jws.payload },
  }
}
