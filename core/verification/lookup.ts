import type { DidDocument } from '#core/did/z-did-document.ts'
import type { TirAttribute } from '#core/trust/z-tir-attribute.ts'

/**
 * The outcome of asking somebody else. `not-found` is an answer; `unavailable` means that there was
 * none within the limits, or one that is not to be understood; `not-asked` that whoever verifies
 * knows nobody to ask. None of them ever counts in favour.
 *
 * @assumption A-29
 */
export type Lookup<Value> = { readonly ok: true; readonly value: Value } | FailedLookup

export interface FailedLookup {
  readonly ok: false
  readonly kind: 'not-found' | 'unavailable' | 'not-asked'
  readonly reason: string
}

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
