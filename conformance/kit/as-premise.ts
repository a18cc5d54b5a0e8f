import { endCheck, inconclusive } from './finding.ts'
import { findingOfError } from './finding-of-error.ts'

/**
 * Waits for something that a check rests on without being about it: where it fails, the check
 * decides nothing, for others are about that. `what` names it: `redeeming an offer`.
 */
export async function asPremise<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const finding = findingOfError(error)
    if (finding === undefined) throw error
    const told = what.charAt(0).toUpperCase() + what.slice(1)
    endCheck(inconclusive(`${told} went wrong, and this rests on it: ${finding.reason}`))
  }
}
