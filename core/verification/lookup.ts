import type { DidDocument } from '#core/did/did-document.ts'
import type { TirAttribute } from '#core/trust/tir-attribute.ts'
import type { Lookup } from './rules.ts'

/** The DID registry, as a verification asks it. */
export type ResolveDidDocument = (
  did: string,
  /** Unix seconds; the state now where it is left out. */
  validAt?: number,
) => Promise<Lookup<DidDocument>>

/** The TIR, as a verification asks it. */
export type ReadAttribute = (did: string, attributeId: string) => Promise<Lookup<TirAttribute>>

/** Fetches a status list credential: a JWT. Only asked for addresses below the issuer's own base. */
export type FetchStatusList = (url: string) => Promise<Lookup<string>>
