import type { UnsignedTransaction } from '#core/ethereum/z-unsigned-transaction.ts'
import { decodeCall } from '../../registries/decode-abi.ts'
import { plainText } from '../wallet/print.ts'

const longestValue = 200

/** Document 2, Types used in the TIR: the contract has their numbers. */
const issuerTypes = ['NONE', 'ROOT_TAO', 'TAO', 'TI', 'REVOKED']

/** What bytes hold, where they are text, as an accreditation is; else as they are. */
function show(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const bytes = /^0x(?:[0-9a-f]{2}){33,}$/.test(text)
    ? Buffer.from(text.slice(2), 'hex')
    : undefined
  const readable = bytes?.toString('utf8')
  const isText = readable !== undefined && /^[\x20-\x7e]+$/.test(readable)
  const shown = plainText(isText ? `${readable} (${bytes?.length} bytes of text)` : text)
  return shown.length <= longestValue
    ? shown
    : `${shown.slice(0, longestValue)}… (${text.length} characters)`
}

/** Lines that tell a person what a transaction does: the function, its arguments, chain, contract. */
export function describeTransaction(transaction: UnsignedTransaction): readonly string[] {
  const { to, from, data, chainId, nonce, gasLimit, gasPrice, value } = transaction
  const call = decodeCall(data)
  const what =
    call === undefined
      ? [`  unknown call data: ${data.slice(0, 10)}, ${(data.length - 2) / 2} bytes`]
      : [
          `  ${call.name}`,
          ...Object.entries(call.args).map(([name, given]) => {
            const role = name === 'issuerType' ? issuerTypes[Number(given)] : undefined
            return `    ${name}: ${role ?? show(given)}`
          }),
        ]
  return [
    'To be signed:',
    ...what,
    `  contract ${to} on chain ${BigInt(chainId)} (${chainId})`,
    `  from ${from}, transaction number ${BigInt(nonce)}`,
    `  value ${BigInt(value)} wei, at most ${BigInt(gasLimit)} gas at ${BigInt(gasPrice)} wei`,
  ]
}
