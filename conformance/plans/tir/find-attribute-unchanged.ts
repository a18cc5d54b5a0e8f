import { isDeepStrictEqual } from 'node:util'
import { asPremise } from '../../kit/as-premise.ts'
import { broken, type Finding, held, inconclusive } from '../../kit/finding.ts'
import type { Attempt } from '../registries/did-registry-under-test.ts'
import type { TirUnderTest } from './create-tir-under-test.ts'

export interface ForbiddenAttribute {
  /** `A publication by somebody who does not control the TAO`. */
  readonly what: string
  /** Whose attribute has to stay as it is, also where there is none. */
  readonly did: string
  readonly attributeId: string
  readonly attempt: () => Promise<Attempt>
  /** What has to come first for {@link allowed}. */
  readonly prepare?: () => Promise<unknown>
  /**
   * The same by whoever may, or as it may be, done afterwards: a TIR that takes it from nobody has
   * refused it for another reason.
   */
  readonly allowed?: () => Promise<Attempt>
}

/**
 * Writes what this signer may not: it is refused or reverted, and the attribute is the same before
 * and after. How the TIR says so is left to it.
 */
export async function findAttributeUnchanged(
  tir: TirUnderTest,
  { what, did, attributeId, attempt, prepare, allowed }: ForbiddenAttribute,
): Promise<Finding> {
  const before = await tir.readAttribute(did, attributeId)
  const { isApplied, told } = await attempt()
  const after = await tir.readAttribute(did, attributeId)
  if (!isDeepStrictEqual(before, after)) {
    return broken(`${what} ${told}, and the attribute has changed`, {
      verdictSource: 'the attribute before and after',
      expected: before ?? 'no attribute',
      actual: after ?? 'no attribute',
    })
  }
  if (isApplied) {
    const verdictSource = 'status of the receipt at the chain node'
    return broken(`${what} ${told}`, { verdictSource, expected: '0x0', actual: '0x1' })
  }
  if (prepare) await asPremise('what has to come before it', prepare())
  const control = await allowed?.()
  return control?.isApplied === false
    ? inconclusive(`${what} ${told}; but as it may be done, the same ${control.told}`)
    : held(`${what} ${told}, and the attribute is as before`)
}
