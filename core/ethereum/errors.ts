import { TestbedError } from '#core/errors/testbed-error.ts'

export function wrongSigner(address: string, from: string): TestbedError {
  return new TestbedError({
    code: 'wrong_signer',
    status: 400,
    message: `The key belongs to ${address}, but the transaction is from ${from}.`,
    hints: ['Sign with the key of `from`, or build the transaction for this key.'],
  })
}
