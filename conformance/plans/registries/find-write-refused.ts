import { isDeepStrictEqual } from 'node:util'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { broken, endCheck, type Finding, held, inconclusive } from '../../kit/check.ts'
import type { Attempt } from './did-registry-under-test.ts'

/** A write that must have no effect. */
export interface RefusedWrite {
  /** `A second first document`. */
  readonly what: string
  /** What the write must not change: `DID document`. */
  readonly subject: string
  /** Reads the subject; undefined if it does not exist. */
  readonly read: () => Promise<unknown>
  readonly attempt: () => Promise<Attempt>
  /**
   * The same write by an authorized account, or in an allowed form, sent afterwards: a registry that
   * rejects that as well had another reason.
   */
  readonly allowed?: (() => Promise<Attempt>) | undefined
}

/**
 * Sends a forbidden write: it must be rejected or reverted, and the subject must be the same before
 * and after. The form of the rejection is up to the registry.
 */
export async function findWriteRefused({
  what,
  subject,
  read,
  attempt,
  allowed,
}: RefusedWrite): Promise<Finding> {
  const before = await read()
  const { isApplied, observed } = await attempt()
  const after = await read().catch((error: unknown) => {
    if (!isTestbedError(error) || error.code !== 'registry_refused') throw error
    endCheck(broken(`${what} ${observed}, and then ${error.message}`))
  })
  if (!isDeepStrictEqual(before, after)) {
    return broken(`${what} ${observed}, and the ${subject} has changed`, {
      verdictSource: `the ${subject} before and after`,
      expected: before ?? `no ${subject}`,
      actual: after ?? `no ${subject}`,
    })
  }
  if (isApplied) {
    const verdictSource = 'status of the receipt'
    return broken(`${what} ${observed}`, { verdictSource, expected: 0, actual: 1 })
  }
  const control = await allowed?.()
  return control?.isApplied === false
    ? inconclusive(
        `${what} ${observed}, but the corresponding authorized write ${control.observed}`,
      )
    : held(`${what} ${observed}, and the ${subject} is unchanged`)
}
