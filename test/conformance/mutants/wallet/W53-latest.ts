import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W53',
  deviation: 'presents the latest credential where any one matches',
  patches: [
    {
      file: 'wallet-emulator/actions/select-credentials.ts',
      find: '(found?.matches ?? [])',
      replace:
        '(isMutant && found?.matches.length ? stored.map((_, index) => index) : (found?.matches ?? []))',
    },
  ],
}
