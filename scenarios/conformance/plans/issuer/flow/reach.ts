import { endCheck, inconclusive } from '../../../finding.ts'
import { findingOfError } from '../../../finding-of-error.ts'

/**
 * Does what comes before the point of a check. Whatever stops it there decides nothing: other checks
 * are about that. `what` names it: `redeeming an offer`.
 */
export async function reach<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const finding = findingOfError(error)
    if (finding === undefined) throw error
    endCheck(inconclusive(`It did not come to that, ${what} went wrong before: ${finding.reason}`))
  }
}
