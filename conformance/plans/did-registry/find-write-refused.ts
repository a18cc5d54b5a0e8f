import { isDeepStrictEqual } from 'node:util'
import type { Signer } from '#core/ethereum/account.ts'
import { broken, type Finding, held, inconclusive } from '../../kit/finding.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'

export interface ForbiddenWrite {
  /** `A first document by an account that is no onboarding node`. */
  readonly what: string
  readonly operation: string
  readonly body: object
  readonly signer: Signer
  /**
   * Who may write just this, and does so afterwards: a registry that takes it from nobody has
   * refused it for another reason.
   */
  readonly owner?: Signer
  /** Whose document has to stay as it is. */
  readonly did: string
}

/**
 * Writes what this signer may not: it is refused or reverted, and the document is the same before
 * and after. How the registry says so is left to it.
 */
export async function findWriteRefused(
  registry: DidRegistryUnderTest,
  { what, operation, body, signer, owner, did }: ForbiddenWrite,
): Promise<Finding> {
  const before = await registry.resolve(did)
  const { isApplied, told } = await registry.attempt(operation, body, signer)
  const after = await registry.resolve(did)
  if (!isDeepStrictEqual(before, after)) {
    return broken(`${what} ${told}, and the DID document has changed`, {
      verdictSource: 'the DID document before and after',
      expected: before ?? 'no document',
      actual: after ?? 'no document',
    })
  }
  if (isApplied) {
    const verdictSource = 'status of the receipt'
    return broken(`${what} ${told}`, { verdictSource, expected: 0, actual: 1 })
  }
  const allowed = owner && (await registry.attempt(operation, body, owner))
  return allowed?.isApplied === false
    ? inconclusive(`${what} ${told}; but by who may write, the same ${allowed.told}`)
    : held(`${what} ${told}, and the DID document is as before`)
}
