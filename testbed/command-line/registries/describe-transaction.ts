import { decodeCall } from '#core/contracts/decode-abi.ts'
import type { UnsignedTransaction } from '#core/ethereum/transaction.ts'
import { describeArguments } from './describe-arguments.ts'

/** Lines that tell a person what a transaction does: the function, its arguments, chain, contract. */
export function describeTransaction(transaction: UnsignedTransaction): readonly string[] {
  const { to, from, data, chainId, nonce, gasLimit, gasPrice, value } = transaction
  const call = decodeCall(data)
  const what =
    call === undefined
      ? [`  unknown call data: ${data.slice(0, 10)}, ${(data.length - 2) / 2} bytes`]
      : [`  ${call.name}`, ...describeArguments(call.args, '    ')]
  return [
    'To be signed:',
    ...what,
    `  contract ${to} on chain ${BigInt(chainId)} (${chainId})`,
    `  from ${from}, transaction number ${BigInt(nonce)}`,
    `  value ${BigInt(value)} wei, at most ${BigInt(gasLimit)} gas at ${BigInt(gasPrice)} wei`,
  ]
}
