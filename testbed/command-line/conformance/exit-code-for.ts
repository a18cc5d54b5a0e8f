import { isKitFault, type Results } from '#scenarios/harness/z-results.ts'
import { exitCodes } from '../exit-codes.ts'

/**
 * What the program ends with after a plan. A run that broke off, for a fault of the kit or as the
 * target fell silent, has failed whatever passed before: a CI looks at nothing else.
 */
export function exitCodeFor({ interrupted, scenarios }: Results, strict: boolean): number {
  if (interrupted) return exitCodes.interrupted
  const isCutShort = scenarios.some(({ failure }) => failure?.code === 'target_silent')
  if (isCutShort || scenarios.some(isKitFault)) return exitCodes.failed
  const count = (wanted: string) => scenarios.filter(({ verdict }) => verdict === wanted).length
  if (count('failed') > 0 || (strict && count('inconclusive') > 0)) return exitCodes.failed
  // A target that shows nothing has passed nothing.
  return count('inconclusive') === scenarios.length ? exitCodes.failed : exitCodes.passed
}
