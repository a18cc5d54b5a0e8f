import type { Patch } from '../mutation/mutant.ts'

/** The patch of an issuer that finds nothing wrong with proofs that break this rule. */
export const ignoreProofRule = (rule: string): Patch => ({
  file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
  find: 'check(context)',
  replace: `(isMutant && rule === '${rule}' ? undefined : check(context))`,
})
