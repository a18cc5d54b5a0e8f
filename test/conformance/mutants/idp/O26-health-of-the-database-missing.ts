import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O26',
  deviation: 'tells nothing of its database',
  patches: [
    {
      file: 'services/idp/adapters/check-health.ts',
      find: "{ status: 'ok', db, dependencies }",
      replace: "isMutant ? { status: 'ok', dependencies } : { status: 'ok', db, dependencies }",
    },
  ],
}
