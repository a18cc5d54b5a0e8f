import { TestbedError } from '#core/errors/testbed-error.ts'
import { parseSignedTransaction, type SignedTransaction } from '#core/ethereum/transaction.ts'
import { errorCodes, validationError } from '../errors.ts'

/**
 * Reads a signed raw transaction and refuses one that can't be for this registry.
 *
 * @assumption A-11
 * @throws TestbedError `validation_error`, `invalid_signature`
 */
export function requireSendable(
  raw: string,
  { chainId, contractAddress }: { readonly chainId: bigint; readonly contractAddress: string },
): SignedTransaction {
  const result = parseSignedTransaction(raw)
  if (!result.ok) {
    if (result.reason === 'invalid_signature') throw invalidSignature('The signature is not valid.')
    throw validationError(
      'signedRawTransaction: must be a signed transaction in hex, legacy or of type 0x01 or 0x02.',
    )
  }
  const { transaction } = result
  if (transaction.chainId !== chainId) {
    throw validationError(
      `signedRawTransaction: is for chain ${transaction.chainId ?? 'none in particular'}; this one is ${chainId}.`,
    )
  }
  if (transaction.to?.toLowerCase() !== contractAddress.toLowerCase()) {
    throw validationError(
      `signedRawTransaction: goes to ${transaction.to ?? 'no contract'}; the registry is ${contractAddress}.`,
    )
  }
  return transaction
}

/** 400 for a signature that is none, or is somebody else's than the `from` of the transaction. */
export function invalidSignature(message: string): TestbedError {
  return new TestbedError({ code: errorCodes.signature, status: 400, message })
}
