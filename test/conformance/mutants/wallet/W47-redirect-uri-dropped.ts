import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W47',
  deviation: 'drops the redirect_uri of the answer',
  patches: [
    {
      file: 'wallet-emulator/actions/submit-presentation.ts',
      find: 'redirectUriOf(response.json)',
      replace: 'isMutant ? undefined : redirectUriOf(response.json)',
    },
  ],
}
