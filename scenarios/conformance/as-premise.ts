import { endCheck, inconclusive } from './finding.ts'
import { findingOfError } from './finding-of-error.ts'

/**
 * Waits for something that a check rests on without being about it: where it fails, the check
 * decides nothing.
 */
export async function asPremise<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const finding = findingOfError(error)
    if (finding === undefined) throw error
    endCheck(inconclusive(`${what}, which this rests on, does not work: ${finding.reason}`))
  }
}
