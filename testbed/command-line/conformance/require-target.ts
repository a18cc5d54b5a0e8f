import type { PlanName } from '#conformance/kit/define-check.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { wrongUsage } from '../registries/wrong-usage.ts'

/**
 * The target that was named. There is none by default, so that nobody takes the result of the
 * testbed's own part for that of another system by mistake.
 * @throws TestbedError `invalid_option`
 */
export function requireTarget(plan: PlanName, { target }: { readonly target?: string }): string {
  if (target !== undefined) return target
  throw wrongUsage(`Which ${plan} is to be checked? Give --target FILE.`, [
    `${programCommand} conformance ${plan} --example > target.yaml prints a file to begin with.`,
    "--target self is the testbed's own part.",
  ])
}
