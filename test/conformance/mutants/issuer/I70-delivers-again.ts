import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I70',
  deviation: 'delivers the credential as often as it is asked for',
  patches: [
    {
      file: 'services/connector/routes/post-deferred-credential.ts',
      find: "if (row.state === 'delivered') throw",
      replace: "if (row.state === 'delivered' && !isMutant) throw",
    },
  ],
}
