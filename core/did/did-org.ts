/** The two environments that an identifier can belong to. */
export type DidEnvironment = 'pre' | 'pro'

/** The DID prefixes by environment (Document 2, Types used in the TIR). */
export const didPrefixes: Readonly<Record<DidEnvironment, string>> = {
  pre: 'did:org:uc-pre:',
  pro: 'did:org:uc:',
}

export interface DidOrg {
  readonly did: string
  readonly environment: DidEnvironment
  /** What stands after the prefix: `z` and base58btc. */
  readonly identifier: string
}

const pattern = /^did:org:(uc|uc-pre):(z[1-9A-HJ-NP-Za-km-z]{1,63})$/

/**
 * Reads a DID of the registry, without path, query or fragment; undefined for anything else. The
 * identifier only has to be base58btc: whether a DID is the one that its first proof gives is the
 * registry's business (see {@link didOfProof}), and other registries may derive theirs otherwise.
 *
 * @row 2.resources-and-their-fields/types-used-in-the-tir.3
 */
export function parseDidOrg(did: string): DidOrg | undefined {
  const match = pattern.exec(did)
  const identifier = match?.[2]
  if (!identifier) return undefined
  return { did, environment: match[1] === 'uc' ? 'pro' : 'pre', identifier }
}
