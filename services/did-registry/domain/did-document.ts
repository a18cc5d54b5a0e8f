import type { DidDocument, VerificationMethod } from '#core/did/did-document.ts'
import { type JwkObject, parseJwkObject } from './public-keys.ts'

/** The @context of a document that names none. */
const defaultContext: readonly unknown[] = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/suites/jws-2020/v1',
]

/** What goes on chain where the request has no baseDocument. */
export const defaultBaseDocument = JSON.stringify({ '@context': defaultContext })

/**
 * Reads the @context out of a base document: `{"@context": …}` with one entry or a list, or the
 * list or the text alone. Undefined where the text holds none; further members of the object have
 * no effect.
 */
export function parseBaseDocument(text: string): readonly unknown[] | undefined {
  const value = parseJson(text)
  if (isObject(value) && !Object.hasOwn(value, '@context')) return undefined
  const context = isObject(value) ? value['@context'] : value
  const entries = Array.isArray(context) ? context : [context]
  return entries.length > 0 && entries.every(isContextEntry) ? entries : undefined
}

function isContextEntry(entry: unknown): boolean {
  return isObject(entry)
    ? !Object.hasOwn(entry, '@context')
    : typeof entry === 'string' && entry !== ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A DID document as the contract tells it. */
export interface ContractDidDocument {
  readonly baseDocument: string
  readonly alsoKnownAs: string
  readonly controllers: readonly string[]
  readonly verificationMethods: readonly {
    readonly vMethodId: Uint8Array
    readonly publicKeyType: bigint
    /** Bit i stands for the relationship i of {@link relationshipNames}. */
    readonly relationships: bigint
    readonly publicKey: Uint8Array
  }[]
}

/** The relationships in the order of the contract's enum Relationship. */
export const relationshipNames = [
  'authentication',
  'assertionMethod',
  'keyAgreement',
  'capabilityInvocation',
  'capabilityDelegation',
] as const

/**
 * Makes the resolution result (Document 2, DID document). Whoever wrote past this API may have left
 * anything on chain: an unreadable base document counts as the default one, and a method whose key
 * is no public JWK is left out, as nobody could verify anything with it.
 *
 * @assumption A-08 what a document lists
 * @assumption A-09 which relationship arrays it has
 * @row 2.resources-and-their-fields/did-document.1..2 2.resources-and-their-fields/verification-method-input.7..8
 */
export function createDidDocument(did: string, state: ContractDidDocument): DidDocument {
  const methods = state.verificationMethods.flatMap((method) => {
    const publicKeyJwk = publicJwkOf(method.publicKeyType, method.publicKey)
    if (publicKeyJwk === undefined) return []
    const id = `${did}#${Buffer.from(method.vMethodId).toString('base64url')}`
    return [{ id, publicKeyJwk, relationships: Number(method.relationships) }]
  })
  const relationships = relationshipNames.flatMap((name, index) => {
    const ids = methods
      .filter((method) => (method.relationships & (1 << index)) !== 0)
      .map(({ id }) => id)
    return ids.length > 0 ? [[name, ids] as const] : []
  })
  return {
    '@context': [...(parseBaseDocument(state.baseDocument) ?? defaultContext)],
    id: did,
    controller: [...state.controllers],
    verificationMethod: methods.map(
      ({ id, publicKeyJwk }): VerificationMethod => ({
        id,
        type: 'JsonWebKey2020',
        controller: did,
        publicKeyJwk,
      }),
    ),
    assertionMethod: [],
    ...Object.fromEntries(relationships),
    alsoKnownAs: state.alsoKnownAs === '' ? [] : [state.alsoKnownAs],
  }
}

function publicJwkOf(publicKeyType: bigint, publicKey: Uint8Array): JwkObject | undefined {
  if (publicKeyType === 0n) {
    const coordinate = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
    const [x, y] = [coordinate(publicKey.subarray(0, 32)), coordinate(publicKey.subarray(32))]
    return { kty: 'EC', crv: 'secp256k1', x, y }
  }
  const result = parseJwkObject(publicKey)
  return result.ok ? result.jwk : undefined
}
