import type { DidDocument } from '#core/did/did-document.ts'

const relationships = [
  'authentication',
  'assertionMethod',
  'keyAgreement',
  'capabilityInvocation',
  'capabilityDelegation',
] as const

/** A DID document for people: controllers, and each key with its curve and what it is good for. */
export function describeDocument(document: DidDocument): readonly string[] {
  const { id, controller, verificationMethod, alsoKnownAs = [] } = document
  const usesOf = (method: string) =>
    relationships.filter((name) => document[name]?.includes(method))
  return [
    id,
    ...alsoKnownAs.map((name) => `  also known as ${name}`),
    ...controller.map((address) => `  controlled by ${address}`),
    ...verificationMethod.map((method) => {
      const uses = usesOf(method.id).join(', ')
      const { crv, kty } = method.publicKeyJwk
      return `  key ${method.id.slice(method.id.indexOf('#'))} ${crv ?? kty}: ${uses || 'no use'}`
    }),
  ]
}
