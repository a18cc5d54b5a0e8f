import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O31',
  deviation: 'answers a malformed session code with a fault of its own',
  patches: [
    {
      file: 'services/idp/routes/get-session-status.ts',
      find: 'invalidInput: unknownSession,',
      replace:
        "invalidInput: () => isMutant ? new TestbedError({ code: 'internal_error', status: 500, message: 'Something went wrong.' }) : unknownSession(),",
    },
  ],
}
