import type { PlanName } from './define-check.ts'
import type { OpenPlan, OpenPlanOptions } from './plan.ts'

type OpenFromFile = (path: string, options: OpenPlanOptions) => Promise<OpenPlan>

/** How each plan is opened against a target file; loaded when it is asked for. */
const openers: Partial<Record<PlanName, () => Promise<OpenFromFile>>> = {}

/**
 * Opens a plan against the system that a target file tells of.
 * @throws TestbedError `invalid_target` with what to mend in which line; `not_started`
 */
export async function openTargetPlan(
  plan: PlanName,
  path: string,
  options: OpenPlanOptions,
): Promise<OpenPlan> {
  const open = await openers[plan]?.()
  if (open === undefined) throw new TypeError(`There is no plan ${plan} for targets yet`)
  return open(path, options)
}
