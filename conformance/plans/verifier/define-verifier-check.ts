import { type Check, defineCheck } from '../../kit/define-check.ts'
import type { VerifierContext } from './context.ts'

/** Declares a check of the plan `verifier`. */
export const defineVerifierCheck = (check: Check<VerifierContext>): Check<VerifierContext> =>
  defineCheck(check)
