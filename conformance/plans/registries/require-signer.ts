import { TestbedError } from '#core/errors/testbed-error.ts'
import { type Signer, signerOf } from '#core/ethereum/account.ts'

/**
 * The account of a private key that a target names.
 * @param member where the target has it: `operator.privateKey`
 * @throws TestbedError `invalid_target`, which does not tell the key
 */
export function requireSigner(privateKey: string, member: string): Signer {
  try {
    return signerOf(privateKey)
  } catch {
    throw new TestbedError({
      code: 'invalid_target',
      status: 400,
      message: `${member} is no private key.`,
      hints: ['It is 0x and 64 hex digits, of the curve secp256k1.'],
    })
  }
}
