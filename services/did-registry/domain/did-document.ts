import {
  type DidDocument,
  relationshipNames,
  type VerificationMethod,
} from '#core/did/did-document.ts'
import { defaultContext, parseBaseDocument } from './base-document.ts'
import { type JwkObject, parseJwkObject } from './public-keys.ts'

/** A DID document as returned by the contract. */
export interface ContractDidDocument {
  readonly did: string
  readonly baseDocument: string
  readonly alsoKnownAs: string
  readonly controllers: readonly string[]
  readonly verificationMethods: readonly {
    readonly vMethodId: Uint8Array
    readonly publicKeyType: bigint
    /** Bit i represents the relationship i of {@link relationshipNames}. */
    readonly relationships: bigint
    readonly publicKey: Uint8Array
  }[]
}

/**
 * Creates the resolution result (profile/did-registry, DID document). A client that bypasses this
 * API may have stored anything on chain: an unreadable base document is replaced by the default
 * one, and a method without a valid public JWK is omitted, as it cannot verify anything.
 *
 * @assumption A-08 what a document lists
 * @assumption A-09 which relationship arrays it has
 * @row 2.resources-and-their-fields/did-document.1..2 2.resources-and-their-fields/verification-method-input.7..8
 */
export function createDidDocument(state: ContractDidDocument): DidDocument {
  const { did } = state
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
