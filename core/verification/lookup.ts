import type { DidDocument } from '#core/did/did-document.ts'
import type { TirAttribute } from '#core/trust/tir-attribute.ts'
import type { Lookup } from './rules.ts'

/** Resolves a DID document for a verification. */
export type ResolveDidDocument = (
  did: string,
  /** Unix seconds; default: the current state. */
  validAt?: number,
) => Promise<Lookup<DidDocument>>

/** Reads an attribute of the TIR for a verification. */
export type ReadAttribute = (did: string, attributeId: string) => Promise<Lookup<TirAttribute>>

/**
 * Fetches a status list credential (a JWT). Called only for addresses below the issuer's own base.
 */
export type FetchStatusList = (url: string) => Promise<Lookup<string>>

/** The lookups of a complete verification of a credential. */
export interface Lookups {
  readonly resolveDidDocument: ResolveDidDocument
  readonly readAttribute: ReadAttribute
  readonly fetchStatusList: FetchStatusList
}
