import { decodeCall, enumerationWord } from '#core/contracts/decode-abi.ts'
import { parseJws } from '#core/crypto/jws.ts'
import type { UnsignedTransaction } from '#core/ethereum/transaction.ts'
import { zAccreditation } from '#core/trust/accreditation.ts'
import { toIsoTime } from '#core/verification/data-model.ts'
import { plainText } from './terminal.ts'

/** Describes a transaction line by line: the function, its arguments, chain, contract. */
export function describeTransaction(transaction: UnsignedTransaction): readonly string[] {
  const { to, from, data, chainId, nonce, gasLimit, gasPrice, value } = transaction
  const call = decodeCall(data)
  const what =
    call === undefined
      ? [`  unknown call data: ${data.slice(0, 10)}, ${(data.length - 2) / 2} bytes`]
      : [`  ${call.name}`, ...describeArguments(call.args, '    ')]
  return [
    'Transaction to sign:',
    ...what,
    `  contract ${to} on chain ${BigInt(chainId)} (${chainId})`,
    `  from ${from}, transaction number ${BigInt(nonce)}`,
    `  value ${BigInt(value)} wei, at most ${BigInt(gasLimit)} gas at ${BigInt(gasPrice)} wei`,
  ]
}

const longestValue = 300

/**
 * Describes the arguments of a call to a registry line by line, with members of structs indented.
 */
function describeArguments(
  args: Readonly<Record<string, unknown>>,
  indent: string,
): readonly string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const members = value as Readonly<Record<string, unknown>>
      return [`${indent}${name}:`, ...describeArguments(members, `${indent}  `)]
    }
    return [
      `${indent}${name}: ${shorten(describeValue(name, value))}`,
      ...(name === 'attributeData' ? describeAccreditation(value, `${indent}  `) : []),
    ]
  })
}

function describeValue(name: string, value: unknown): string {
  const text = String(value)
  const word = enumerationWord(name, text)
  if (word !== undefined) return word
  if (/^not(Before|After)$/.test(name)) return describeTime(Number(text))
  if (/VMethodId$/i.test(name)) return bytesOf(text).toString('base64url')
  const readable = bytesOf(text).toString('utf8')
  // A key as JSON, or an accreditation: text encoded as bytes.
  return /^[\x20-\x7e]{2,}$/.test(readable) ? readable : plainText(text)
}

const bytesOf = (text: string) =>
  Buffer.from(/^0x(?:[0-9a-f]{2})+$/.test(text) ? text.slice(2) : '', 'hex')

/** The last instant that has a date in JavaScript, in Unix seconds. */
const lastDate = 8_640_000_000_000

const describeTime = (seconds: number) =>
  seconds <= lastDate ? `${toIsoTime(seconds)} (${seconds})` : String(seconds)

function describeAccreditation(value: unknown, indent: string): readonly string[] {
  const jws = parseJws(bytesOf(String(value)).toString('utf8'))
  const accreditation = jws.ok ? zAccreditation.safeParse(jws.payload) : undefined
  if (!accreditation?.success) return [`${indent}which is not a valid accreditation`]
  const { iss, vc } = accreditation.data
  const { id, accreditedFor } = vc.credentialSubject
  const types = accreditedFor.flatMap((entry) => entry.types).join(', ')
  return [`${indent}an accreditation of ${id} by ${iss}, for ${types}`].map(plainText).map(shorten)
}

const shorten = (text: string) =>
  text.length <= longestValue ? text : `${text.slice(0, longestValue)}… (${text.length} characters)`
