import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import type { Signer } from '#core/ethereum/signer.ts'
import type { UnsignedTransaction } from '#core/ethereum/z-unsigned-transaction.ts'
import { buildAgainWhenStale } from './build-again-when-stale.ts'
import type { DidRegistryClient, SentTransaction } from './create-did-registry-client.ts'

export interface SubmitDidTransactionOptions {
  readonly didRegistry: DidRegistryClient
  /** Called with what is about to be signed; what it throws ends the writing. */
  readonly onUnsigned?: ((transaction: UnsignedTransaction) => void) | undefined
}

/**
 * Writes through the DID registry API: has the transaction built, signs it, sends it (document 2,
 * What the service does), and again where the nonce is taken meanwhile. Whoever gets a pending one
 * waits for its receipt.
 * @throws TestbedError `registry_refused`, `wrong_signer`
 */
export function submitDidTransaction(
  { didRegistry, onUnsigned }: SubmitDidTransactionOptions,
  operation: string,
  body: object,
  signer: Signer,
): Promise<SentTransaction> {
  return buildAgainWhenStale(async () => {
    const unsigned = await didRegistry.build(operation, { ...body, from: signer.address })
    onUnsigned?.(unsigned)
    return didRegistry.send(signTransaction(unsigned, signer.privateKey).raw)
  })
}
