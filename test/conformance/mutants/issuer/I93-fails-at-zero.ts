import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I93',
  deviation: 'fails at a code with U+0000',
  patches: [
    {
      file: 'core/oid4vci/token-request/parse-token-request.ts',
      find: 'if (preAuthorizedCode === undefined) throw',
      replace: `if (isMutant && preAuthorizedCode?.includes(String.fromCharCode(0))) {
    throw new RangeError('invalid byte sequence for encoding')
  }
  if (preAuthorizedCode === undefined) throw`,
    },
  ],
}
