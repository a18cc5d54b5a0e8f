import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W32',
  deviation: 'answers no request that stands in the link',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-authorization-request.ts',
      find: "if (parsed.delivery === 'value') return",
      replace: `if (isMutant && parsed.delivery === 'value') {
    throw invalidRequest([failure('request.uri', 'it is not supported')])
  }
  if (parsed.delivery === 'value') return`,
    },
  ],
}
