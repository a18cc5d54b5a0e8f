import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W45',
  deviation: 'presents every credential that matches',
  patches: [
    {
      file: 'wallet-emulator/actions/present.ts',
      find: 'credential: credential.credential,',
      replace: `credential: credential.credential,
    ...(isMutant ? { all: matching.candidates.map((each) => each.credential) } : {}),`,
    },
    {
      file: 'wallet-emulator/actions/submit-presentation.ts',
      find: 'credentials: [credential],',
      replace: 'credentials: (isMutant && arguments[1].all) || [credential],',
    },
  ],
}
