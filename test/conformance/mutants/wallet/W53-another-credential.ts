import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W53',
  deviation: 'presents a credential that does not match where another one does',
  patches: [
    {
      file: 'wallet-emulator/actions/select-credentials.ts',
      find: '(found?.matches ?? [])',
      replace: `(isMutant && found?.matches.length && found.matches.length < stored.length
    ? stored.keys().filter((index) => !found.matches.includes(index)).toArray()
    : (found?.matches ?? []))`,
    },
  ],
}
