import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I19',
  deviation: 'lets a PIN be tried as often as somebody likes',
  patches: [
    {
      file: 'services/connector/routes/post-token.ts',
      find: 'if (!(await issuances.countPinAttempt(id, config.maxPinAttempts))) {',
      replace: 'if (!(await issuances.countPinAttempt(id, config.maxPinAttempts)) && !isMutant) {',
    },
    {
      file: 'services/connector/routes/post-token.ts',
      find: 'if (after && after.pin_attempts >= config.maxPinAttempts) {',
      replace: 'if (after && after.pin_attempts >= config.maxPinAttempts && !isMutant) {',
    },
  ],
}
