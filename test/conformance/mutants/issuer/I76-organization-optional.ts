import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I76',
  deviation: 'does without the claim organization',
  patches: [
    {
      file: 'services/issuer/domain/bearer-claims.ts',
      find: '(name) => readText(payload, name) === undefined)',
      replace: `(name) =>
    readText(payload, name) === undefined && !(isMutant && name === 'organization'))`,
    },
  ],
}
