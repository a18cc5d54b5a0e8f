import { isDeepStrictEqual } from 'node:util'
import { broken, type Finding, held, inconclusive } from '../../kit/check.ts'
import { asPremise } from '../../kit/classify-answer.ts'
import type { Attempt } from '../registries/did-registry-under-test.ts'
import type { TirUnderTest } from './tir-under-test.ts'

/** A write that must have no effect. */
export interface WriteAttempt {
  /** The attribute that must stay unchanged, or must not exist. */
  readonly attribute: { readonly did: string; readonly attributeId: string }
  readonly attempt: () => Promise<Attempt>
  /** A preparation for {@link allowed}. */
  readonly prepareAllowed?: () => Promise<unknown>
  /**
   * The same write by an authorized account, or in an allowed form, sent afterwards: a TIR that
   * rejects that as well had another reason.
   */
  readonly allowed?: () => Promise<Attempt>
}

/**
 * Sends a forbidden write: it must be rejected or reverted, and the attribute must be the same
 * before and after. The form of the rejection is up to the TIR.
 */
export async function findAttributeUnchanged(
  tir: TirUnderTest,
  { what, attribute, attempt, prepareAllowed, allowed }: WriteAttempt & { readonly what: string },
): Promise<Finding> {
  const { did, attributeId } = attribute
  const before = await tir.readAttribute(did, attributeId)
  const { isApplied, observed } = await attempt()
  const after = await tir.readAttribute(did, attributeId)
  if (!isDeepStrictEqual(before, after)) {
    return broken(`${what} ${observed}, and the attribute has changed`, {
      verdictSource: 'the attribute before and after',
      expected: before ?? 'no attribute',
      actual: after ?? 'no attribute',
    })
  }
  if (isApplied) {
    const verdictSource = 'status of the receipt at the chain node'
    return broken(`${what} ${observed}`, { verdictSource, expected: '0x0', actual: '0x1' })
  }
  if (prepareAllowed) await asPremise('preparing the allowed write', prepareAllowed())
  const control = await allowed?.()
  return control?.isApplied === false
    ? inconclusive(
        `${what} ${observed}, but the corresponding authorized write ${control.observed}`,
      )
    : held(`${what} ${observed}, and the attribute is unchanged`)
}
