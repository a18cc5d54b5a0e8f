import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O32',
  deviation: 'never tells that a session has succeeded',
  patches: [
    {
      file: 'services/idp/routes/get-session-status.ts',
      find: 'body: { status: loginStatus(login, runtime.clock.seconds()) },',
      replace:
        "body: { status: isMutant && loginStatus(login, runtime.clock.seconds()) === 'SUCCESS' ? 'PENDING' : loginStatus(login, runtime.clock.seconds()) },",
    },
  ],
}
