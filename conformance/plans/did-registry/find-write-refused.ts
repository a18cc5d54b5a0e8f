import { isDeepStrictEqual } from 'node:util'
import type { Signer } from '#core/ethereum/account.ts'
import { broken, type Finding, held, inconclusive } from '../../kit/check.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'

/** An operation with its body and the account that signs it. */
export interface Write {
  readonly operation: string
  readonly body: object
  readonly signer: Signer
}

interface RefusedWrite extends Write {
  /** `A second first document`. */
  readonly what: string
  /** The DID whose document must stay unchanged. */
  readonly did: string
  /** A write that is applied afterwards: a registry that rejects that as well had another reason. */
  readonly allowed?: Write | undefined
}

/**
 * Sends a forbidden write: it must be rejected or reverted, and the document must be the same
 * before and after. The form of the rejection is up to the registry.
 */
export async function findWriteRefused(
  registry: DidRegistryUnderTest,
  { what, operation, body, signer, did, allowed }: RefusedWrite,
): Promise<Finding> {
  const before = await registry.resolve(did)
  const { isApplied, observed } = await registry.attempt(operation, body, signer)
  const after = await registry.resolve(did)
  if (!isDeepStrictEqual(before, after)) {
    return broken(`${what} ${observed}, and the DID document has changed`, {
      verdictSource: 'the DID document before and after',
      expected: before ?? 'no document',
      actual: after ?? 'no document',
    })
  }
  if (isApplied) {
    const verdictSource = 'status of the receipt'
    return broken(`${what} ${observed}`, { verdictSource, expected: 0, actual: 1 })
  }
  const control =
    allowed && (await registry.attempt(allowed.operation, allowed.body, allowed.signer))
  return control?.isApplied === false
    ? inconclusive(
        `${what} ${observed}, but the corresponding authorized write ${control.observed}`,
      )
    : held(`${what} ${observed}, and the DID document is unchanged`)
}
