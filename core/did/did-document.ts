import { z } from 'zod'
import { type PublicJwk, parsePublicJwk } from '#core/crypto/jwk.ts'
import { plainReasons } from '#core/json/plain-issues.ts'
import { evaluateShape } from '#core/verification/evaluate-shape.ts'
import {
  evaluateRules,
  type Rule,
  type RuleResults,
  type RuleText,
} from '#core/verification/rules.ts'
import { parseDidOrg, parseDidUrl } from './did-org.ts'

/** A public key in a DID document; further members of the JWK are kept. */
const zPublicKeyJwk = z.looseObject({
  kty: z.string(),
  crv: z.string().optional(),
  x: z.string().optional(),
  y: z.string().optional(),
})

/** A resolved verification method: always JsonWebKey2020 with publicKeyJwk. */
const zVerificationMethod = z.looseObject({
  id: z.string(),
  type: z.string(),
  controller: z.string(),
  publicKeyJwk: zPublicKeyJwk,
})

/**
 * The resolution result of the DID registry, W3C form (profile/did-registry, DID document).
 * Controllers are addresses. `assertionMethod` is always present; the other relationships are
 * present if they are not empty.
 *
 * @assumption A-09
 */
export const zDidDocument = z.looseObject({
  '@context': z.array(z.unknown()),
  id: z.string(),
  controller: z.array(z.string()),
  verificationMethod: z.array(zVerificationMethod),
  assertionMethod: z.array(z.string()),
  authentication: z.array(z.string()).optional(),
  keyAgreement: z.array(z.string()).optional(),
  capabilityInvocation: z.array(z.string()).optional(),
  capabilityDelegation: z.array(z.string()).optional(),
  alsoKnownAs: z.array(z.string()).optional(),
})

export type VerificationMethod = z.infer<typeof zVerificationMethod>
export type DidDocument = z.infer<typeof zDidDocument>

/** The requirements of `zDidDocument` as named rules (profile/did-registry, DID document). */
export const didDocumentShape: readonly RuleText[] = [
  {
    rule: 'did-document.shape',
    statement: 'The DID document is a JSON object.',
    fix: 'Provide the DID document as a JSON object.',
    path: '',
  },
  {
    rule: 'did-document.context',
    statement: '@context is a list.',
    fix: 'Make @context an array.',
    path: '@context',
  },
  {
    rule: 'did-document.id',
    statement: 'id is a string.',
    fix: 'Set id to the DID, as a string.',
    path: 'id',
  },
  {
    rule: 'did-document.controller',
    statement: 'controller is a list of addresses.',
    fix: 'Make controller an array of addresses, as strings.',
    path: 'controller',
  },
  {
    rule: 'did-document.verification-method',
    statement: 'Each verification method has id, type, controller and publicKeyJwk.',
    fix: 'Make verificationMethod an array. Give each element id, type, controller and publicKeyJwk with kty.',
    path: 'verificationMethod',
  },
  ...(['assertionMethod', 'authentication', 'alsoKnownAs'] as const).map((path) => ({
    rule: `did-document.${path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    statement:
      path === 'assertionMethod'
        ? 'assertionMethod is a list of strings.'
        : `${path}, if present, is a list of strings.`,
    fix:
      path === 'assertionMethod'
        ? 'Make assertionMethod an array of strings. Include it even if it is empty.'
        : `Make ${path} an array of strings, or omit it.`,
    path,
  })),
]

/** The relationships in the order of the contract's enum Relationship. */
export const relationshipNames = [
  'authentication',
  'assertionMethod',
  'keyAgreement',
  'capabilityInvocation',
  'capabilityDelegation',
] as const

/**
 * The rules for the content of a document, beyond its shape, so that its keys can be found.
 *
 * @see profile/did-registry, DID document; Verification method input
 */
export const didDocumentRules: readonly Rule<DidDocument>[] = [
  {
    rule: 'did-document.did',
    statement: 'id is a DID of the registry.',
    fix: 'Set id to a DID of the registry: did:org:uc-pre: or did:org:uc: followed by the identifier.',
    path: 'id',
    evaluate: ({ id }, { fail }) => {
      if (!parseDidOrg(id)) fail('it is not a DID of the registry', undefined, id)
    },
  },
  {
    rule: 'did-document.method-id',
    statement: 'The id of each verification method is the DID with a fragment, and is unique.',
    fix: 'Set the id of each verification method to <DID>#<vMethodId>, and use each vMethodId once.',
    path: 'verificationMethod',
    evaluate: ({ id: did, verificationMethod }, { fail }) => {
      const seen = new Set<string>()
      for (const [index, { id }] of verificationMethod.entries()) {
        const path = `verificationMethod.${index}.id`
        if (parseDidUrl(id)?.did !== did) fail('it is not the DID with a fragment', path, id)
        if (seen.has(id)) fail('it is not unique', path, id)
        seen.add(id)
      }
    },
  },
  {
    rule: 'did-document.method-type',
    statement: 'Each verification method is a JsonWebKey2020.',
    fix: 'Set type to JsonWebKey2020 in each verification method, regardless of its curve.',
    path: 'verificationMethod',
    evaluate: ({ verificationMethod }, { fail }) => {
      for (const [index, { type }] of verificationMethod.entries()) {
        if (type !== 'JsonWebKey2020') {
          fail('it is not JsonWebKey2020', `verificationMethod.${index}.type`, type)
        }
      }
    },
  },
  {
    rule: 'did-document.key',
    statement: 'Each publicKeyJwk is a public key of a supported curve, without private members.',
    fix: 'Set publicKeyJwk to a public key of secp256k1, P-256 or Ed25519. If it contains d, the key is compromised: revoke it and register a new one.',
    path: 'verificationMethod',
    evaluate: ({ verificationMethod }, { fail }) => {
      for (const [index, { publicKeyJwk }] of verificationMethod.entries()) {
        const path = `verificationMethod.${index}.publicKeyJwk`
        if (Object.hasOwn(publicKeyJwk, 'd')) fail('it contains the private key', path)
        else if (!parsePublicJwk(publicKeyJwk))
          fail('it is not a valid key of a supported curve', path)
      }
    },
  },
  {
    rule: 'did-document.relationship',
    statement: 'Each relationship names verification methods of the document.',
    fix: 'Remove ids from the relationships that verificationMethod does not contain, or add these methods.',
    path: '',
    evaluate: (document, { fail, note }) => {
      if (document.assertionMethod.length === 0)
        note('This DID currently has no key that signs credentials.')
      const methods = new Set(document.verificationMethod.map(({ id }) => id))
      for (const relationship of relationshipNames) {
        for (const [index, id] of (document[relationship] ?? []).entries()) {
          if (!methods.has(id))
            fail('the document does not contain this method', `${relationship}.${index}`, id)
        }
      }
    },
  },
]

/** Evaluates every rule of a DID document: its shape, then its content if the shape is valid. */
export function evaluateDidDocument(value: unknown): RuleResults {
  const parsed = zDidDocument.safeParse(value, plainReasons)
  const shape = evaluateShape(didDocumentShape, parsed)
  if (!parsed.success) return shape
  const content = evaluateRules(didDocumentRules, parsed.data)
  return {
    failures: content.failures,
    checked: [...shape.checked, ...content.checked],
  }
}

export type VerificationRelationship = (typeof relationshipNames)[number]

/**
 * Finds the key that a DID URL names in a DID document; undefined if there is no such key or it is
 * not usable. Accepts any value of a message's `kid`.
 */
export function findVerificationKey(document: DidDocument, didUrl: unknown): PublicJwk | undefined {
  const methods = document.verificationMethod.filter(({ id }) => id === didUrl)
  const [method] = methods
  return method && methods.length === 1 ? parsePublicJwk(method.publicKeyJwk) : undefined
}

/** True if a DID document lists a DID URL (any value) under a relationship. */
export function hasRelationship(
  document: DidDocument,
  didUrl: unknown,
  relationship: VerificationRelationship,
): boolean {
  return (document[relationship] ?? []).some((id) => id === didUrl)
}
