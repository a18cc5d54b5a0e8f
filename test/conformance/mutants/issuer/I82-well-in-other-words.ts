import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I82',
  deviation: 'says in other words that it is well',
  patches: [
    {
      file: 'services/kit/create-app.ts',
      find: "{ healthy: true, body: { status: 'ok' } }",
      replace: "{ healthy: true, body: { status: isMutant ? 'UP' : 'ok' } }",
    },
  ],
}
