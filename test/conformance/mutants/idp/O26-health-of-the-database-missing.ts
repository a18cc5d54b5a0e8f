import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O26',
  deviation: 'tells nothing of its database',
  patches: [
    {
      file: 'services/idp/adapters/check-health.ts',
      find: "{ healthy: true, body: { status: 'ok', db } }",
      replace: "{ healthy: true, body: isMutant ? { status: 'ok' } : { status: 'ok', db } }",
    },
  ],
}
