import { keccak_256 } from '@noble/hashes/sha3.js'
import { Transaction } from 'micro-eth-signer'
import { signRecoverable } from 'tiny-secp256k1'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { signerOf } from './signer.ts'

/** What is signed: as both registries build it (document 2), or without `to` for a deployment. */
export interface TransactionToSign {
  readonly from: string
  readonly to?: string
  readonly data: string
  readonly nonce: string
  readonly chainId: string
  readonly gasLimit: string
  readonly gasPrice: string
  readonly value: string
}

/** A signature with its transaction, as sendSignedTransaction takes them (document 2, Methods). */
export interface TransactionSignature {
  /** The serialized transaction as 0x-hex. */
  readonly raw: string
  readonly r: string
  readonly s: string
  /** 27 or 28, as 0x-hex. */
  readonly v: string
}

/**
 * Signs a transaction with a private key (0x-hex) as an EIP-155 legacy transaction, deterministically.
 * @throws TestbedError `wrong_signer` where the key is not that of `from`
 */
export function signTransaction(
  unsigned: TransactionToSign,
  privateKey: string,
): TransactionSignature {
  const { address } = signerOf(privateKey)
  if (address.toLowerCase() !== unsigned.from.toLowerCase()) {
    throw new TestbedError({
      code: 'wrong_signer',
      status: 400,
      message: `The key is that of ${address}, and the transaction is from ${unsigned.from}.`,
      hints: ['Sign with the key of from, or have the transaction built for this key.'],
    })
  }
  const { to = '0x', data, nonce, chainId, gasLimit, gasPrice, value } = unsigned
  const transaction = Transaction.prepare(
    {
      type: 'legacy',
      to,
      data,
      nonce: BigInt(nonce),
      chainId: BigInt(chainId),
      gasLimit: BigInt(gasLimit),
      gasPrice: BigInt(gasPrice),
      value: BigInt(value),
    },
    false,
  )
  const { signature, recoveryId } = signRecoverable(
    keccak_256(transaction.toBytes({ includeSignature: false })),
    Buffer.from(privateKey.slice(2), 'hex'),
  )
  const [r = '', s = ''] = Buffer.from(signature).toString('hex').match(/.{64}/g) ?? []
  const signed = new Transaction(
    'legacy',
    { ...transaction.raw, r: BigInt(`0x${r}`), s: BigInt(`0x${s}`), yParity: recoveryId },
    { strict: false },
  )
  return {
    raw: signed.toHex(),
    r: `0x${r}`,
    s: `0x${s}`,
    v: `0x${(27 + recoveryId).toString(16)}`,
  }
}
