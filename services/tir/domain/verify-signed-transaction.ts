import { parseSignedTransaction, type SignedTransaction } from '#core/ethereum/transaction.ts'
import type { SendSignedTransaction } from './rpc-message.ts'

type SignedTransactionRule = 'consistency' | 'signer' | 'chainId' | 'to'

interface SignedTransactionFailure {
  readonly rule: SignedTransactionRule
  readonly reason: string
}

export type SignedTransactionVerdict =
  | { readonly ok: true; readonly transaction: SignedTransaction }
  | { readonly ok: false; readonly failures: readonly SignedTransactionFailure[] }

/** The server's own network and contract. */
export interface TirNetwork {
  readonly chainId: bigint
  readonly contractAddress: string
}

/**
 * The four validations of sendSignedTransaction, each evaluated regardless of the others
 * (profile/tir, Endpoints): the raw transaction matches the other members, its signer is `from`,
 * the chain is this network, and the recipient is the TIR contract.
 *
 * @row 2.endpoints/tir.15
 */
export function verifySignedTransaction(
  params: SendSignedTransaction,
  network: TirNetwork,
): SignedTransactionVerdict {
  const { unsignedTransaction, signedRawTransaction } = params
  const parsed = parseSignedTransaction(signedRawTransaction)
  const failures: SignedTransactionFailure[] = []
  const fail = (rule: SignedTransactionRule, reason: string) => failures.push({ rule, reason })

  if (!parsed.ok) {
    const problem = {
      undecodable:
        'is not a valid signed transaction: legacy or of type 0x01 or 0x02, without trailing bytes',
      invalid_signature:
        'has no valid signature: it must match a key, with s in the lower half (EIP-2)',
    }[parsed.reason]
    fail('consistency', `signedRawTransaction ${problem}.`)
  } else {
    const { transaction } = parsed
    const difference = findDifference(params, transaction)
    if (difference !== undefined) {
      fail(
        'consistency',
        `signedRawTransaction is not consistent with unsignedTransaction and (r, s, v): ${difference} differs.`,
      )
    }
    if (!sameHex(transaction.from, unsignedTransaction.from)) {
      fail('signer', `The signer ${transaction.from} does not match unsignedTransaction.from.`)
    }
  }
  if (BigInt(unsignedTransaction.chainId) !== network.chainId) {
    fail('chainId', `chainId is not that of this network, 0x${network.chainId.toString(16)}.`)
  }
  if (!sameHex(unsignedTransaction.to, network.contractAddress)) {
    fail('to', `to is not the TIR contract, ${network.contractAddress}.`)
  }
  if (!parsed.ok || failures.length > 0) return { ok: false, failures }
  return { ok: true, transaction: parsed.transaction }
}

/** The first member that does not match the raw transaction, if any. */
function findDifference(
  { unsignedTransaction: unsigned, r, s, v }: SendSignedTransaction,
  transaction: SignedTransaction,
): string | undefined {
  const chainId = BigInt(unsigned.chainId)
  const equalities: Readonly<Record<string, boolean>> = {
    to: sameHex(transaction.to, unsigned.to),
    data: sameHex(transaction.data, unsigned.data),
    nonce: transaction.nonce === BigInt(unsigned.nonce),
    chainId: transaction.chainId === chainId,
    gasLimit: transaction.gasLimit === BigInt(unsigned.gasLimit),
    gasPrice: transaction.maxFeePerGas === BigInt(unsigned.gasPrice),
    value: transaction.value === BigInt(unsigned.value),
    accessList: !transaction.hasAccessList,
    r: transaction.r === BigInt(r),
    s: transaction.s === BigInt(s),
    v: parityOf(BigInt(v), chainId) === transaction.yParity,
  }
  return Object.keys(equalities).find((name) => !equalities[name])
}

/** The parity in v: as 0 or 1, as 27 or 28, or combined with the chain id (EIP-155). */
function parityOf(v: bigint, chainId: bigint): number | undefined {
  const forms = [0n, 27n, chainId * 2n + 35n]
  const base = forms.find((form) => v === form || v === form + 1n)
  return base === undefined ? undefined : Number(v - base)
}

function sameHex(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
