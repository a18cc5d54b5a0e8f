import type { PublicJwk } from '#core/crypto/jwk.ts'
import { verifyJws } from '#core/crypto/jws.ts'
import { registeredSuites } from '#core/crypto/suites.ts'
import { findVerificationKey, hasRelationship } from '#core/did/did-document.ts'
import { isJsonObject } from '#core/json/json-object.ts'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { toIsoTime } from '#core/verification/data-model.ts'
import type { Rule } from '#core/verification/rules.ts'
import type { CredentialContext } from './credential-context.ts'

/**
 * Who signed a credential, and with which key (profile/credential, Rules 6). The signature time is
 * the credential's iat. A later revocation of the key does not matter.
 *
 * @assumption A-28
 * @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6
 */
export const issuerRules: readonly Rule<CredentialContext>[] = [
  {
    rule: 'credential.algorithm',
    statement: `The credential is signed with one of ${registeredSuites.join(', ')}.`,
    fix: "Set alg to the algorithm of the issuer's registered key: ES256K for secp256k1, ES256 for P-256, EdDSA for Ed25519.",
    path: 'header.alg',
    evaluate: ({ jws }, { fail }) => {
      if (!registeredSuites.some((name) => name === jws.header.alg)) {
        fail('this algorithm is not accepted', undefined, jws.header.alg)
      }
    },
  },
  {
    rule: 'credential.issuer',
    statement: 'iss, vc.issuer and the DID in kid are the same DID, in this environment.',
    fix: "Set iss and vc.issuer to the issuer's DID in this environment, and kid to <DID>#<vMethodId>.",
    path: 'iss',
    evaluate: ({ jws, vc, signerDid, policy }, { fail }) => {
      const { kid } = jws.header
      if (signerDid === undefined) {
        fail(
          `kid does not name a key of a DID in the environment ${policy.environment}`,
          'header.kid',
          kid,
        )
      } else if (jws.payload.iss !== signerDid) {
        fail('it does not match the DID in kid', undefined, jws.payload.iss)
      }
      const issuer = issuerOf(vc)
      if (issuer !== jws.payload.iss) fail('it does not match iss', 'vc.issuer', issuer)
    },
  },
  {
    rule: 'credential.issuer-document',
    statement: "The issuer's DID document can be resolved.",
    fix: "Register the issuer's DID in the DID registry of this environment, or correct the DID in kid. If the DID is registered, correct iat: it must be neither in the future nor before the registration.",
    path: 'header.kid',
    evaluate: ({ documentWhenIssued, documentNow }, { lack }) => {
      if (!documentWhenIssued.ok) lack(documentWhenIssued)
      else if (!documentNow.ok) lack(documentNow)
    },
  },
  {
    rule: 'credential.issuer-key',
    statement: "The key was in the issuer's assertionMethod when the credential was signed.",
    fix: "Issue the credential with a key that is in the issuer's assertionMethod when it signs. If the key lacks this relationship, add it to the DID document first.",
    path: 'header.kid',
    evaluate: ({ jws, documentWhenIssued, documentNow, issuedAt }, { fail, lack, note }) => {
      const { kid } = jws.header
      if (!documentWhenIssued.ok) {
        lack(documentWhenIssued, 'it cannot be checked without the DID document at that time')
      } else if (!hasRelationship(documentWhenIssued.value, kid, 'assertionMethod')) {
        const time = toIsoTime(Math.floor(issuedAt ?? 0))
        fail(
          `the key was not in assertionMethod at ${time}: revoked, expired, unknown or never listed there`,
        )
      } else if (documentNow.ok && !hasRelationship(documentNow.value, kid, 'assertionMethod')) {
        note(
          'The key has expired or was revoked since. Earlier signatures remain valid (the profile).',
        )
      }
    },
  },
  {
    rule: 'credential.signature',
    statement: "The signature verifies with the key in the issuer's DID document.",
    fix: 'Sign with the private key of the verification method that kid names. Do not change header or payload afterwards.',
    path: '',
    evaluate: (context, { fail, lack }) => {
      const publicKey = findKey(context)
      const { documentWhenIssued, documentNow, cache } = context
      const unresolved = [documentNow, documentWhenIssued].find((document) => !document.ok)
      const reason = "the key is not in the issuer's DID document"
      if (!publicKey && unresolved) lack(unresolved)
      else if (!publicKey) fail(reason)
      else if (!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache }))
        fail('the signature does not verify')
    },
  },
]

/** The current document omits keys that are no longer valid, so both documents are searched. */
function findKey(context: CredentialContext): PublicJwk | undefined {
  const { jws, documentWhenIssued, documentNow } = context
  for (const document of [documentWhenIssued, documentNow]) {
    const key = document.ok ? findVerificationKey(document.value, jws.header.kid) : undefined
    if (key) return key
  }
  return undefined
}

/** `vc.issuer` is a DID or an object with it as its id. */
export function issuerOf(vc: CredentialContext['vc']): unknown {
  const { issuer } = vc
  return isJsonObject(issuer) && 'id' in issuer ? issuer.id : issuer
}

/**
 * The place of the issuer's accreditation according to the credential (profile/credential, Rules
 * 8). `walkTrustChain` checks its content and everything above it.
 *
 * @assumption A-29
 * @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8 1.errors.13
 */
export const accreditationRule: Rule<CredentialContext> = {
  rule: 'credential.terms-of-use',
  statement: "termsOfUse.id points to the issuer's accreditation in the TIR of this environment.",
  fix: "Set vc.termsOfUse.id to <TIR>/v1/issuers/<issuer's DID>/attributes/<attributeId>, the address of the issuer's own accreditation in the TIR of this environment.",
  path: 'vc.termsOfUse.id',
  evaluate: ({ vc, accreditation, jws, policy }, { fail, lack, note }) => {
    if (vc.termsOfUse === undefined) fail('it is missing')
    else if (policy.tirBaseUrl === '') {
      lack({ ok: false, kind: 'not-asked', reason: 'no TIR is configured for its environment' })
    } else if (!accreditation) {
      fail(
        `not accredited in this environment, whose TIR is ${policy.tirBaseUrl}`,
        undefined,
        vc.termsOfUse,
      )
    } else if (accreditation.did !== jws.payload.iss) {
      fail('it is the accreditation of another organization', undefined, accreditation.did)
    } else note(createTermsOfUseUrl(policy.tirBaseUrl, accreditation))
  },
}
