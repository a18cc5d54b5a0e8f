import type { TestbedError } from '#core/errors/testbed-error.ts'
import type { InputProblem } from '#kit/define-route.ts'
import { missingData } from '../errors.ts'

/** The documented 400 of the two issuance endpoints, with the paths of what is missing or invalid. */
export function refuseIncomplete(problems: readonly InputProblem[]): TestbedError {
  return missingData(
    [...new Set(problems.map(({ path, in: place }) => path || place))].slice(0, 20),
  )
}
