import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W92',
  deviation: 'answers no signed request in the link',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-authorization-request.ts',
      find: "if (parsed.delivery === 'signed') {",
      replace: `if (isMutant && parsed.delivery === 'signed') {
    throw invalidRequest([failure('request.uri', 'it is not supported')])
  }
  if (parsed.delivery === 'signed') {`,
    },
  ],
}
