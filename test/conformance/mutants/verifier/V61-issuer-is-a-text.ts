import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V61',
  deviation: 'knows issuers as texts alone',
  patches: [
    {
      file: 'core/lear-credential/rules/issuer-rules.ts',
      find: "typeof issuer === 'object'",
      replace: "!isMutant && typeof issuer === 'object'",
    },
  ],
}
