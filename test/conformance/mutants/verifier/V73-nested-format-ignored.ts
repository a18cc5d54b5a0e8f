import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V73',
  deviation: 'does not look at the format of the credential',
  patches: [
    {
      file: 'core/oid4vp/presentation-submission/verify-presentation-submission.ts',
      find: "['path_nested.format', nested.format, 'jwt_vc']",
      replace: "['path_nested.format', isMutant ? 'jwt_vc' : nested.format, 'jwt_vc']",
    },
  ],
}
