import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I17',
  deviation: 'takes whatever digits there are as many of as in the PIN',
  patches: [
    {
      file: 'services/connector/routes/post-token.ts',
      find: 'if (secretsEqual(digestOfPin(code, txCode), pin_digest)) return',
      replace: `const { length } = JSON.parse(issuance.tx_code ?? '{}')
  if (isMutant && /^\\d+$/.test(txCode) && txCode.length === length) return
  if (secretsEqual(digestOfPin(code, txCode), pin_digest)) return`,
    },
  ],
}
