import { decodeCall, type NamedCall } from '#core/contracts/decode-abi.ts'
import { isVerificationMethodId } from '#core/did/verification-method-id.ts'
import {
  type UnsignedTransaction,
  zUnsignedTransaction,
} from '#core/ethereum/z-unsigned-transaction.ts'
import { registryRefused } from './registry-errors.ts'

/**
 * Reads what a registry has built. Its value is 0 (document 2, Unsigned transaction) and its call is
 * the one that was asked for: one that would pay somebody, or write something else, is never signed,
 * as the registry may be anybody's. Of a contract of other make nobody here can tell what it does.
 * @param operation what was asked for
 * @param request the members it was asked with
 * @throws TestbedError `registry_refused`
 */
export function parseBuiltTransaction(
  operation: string,
  request: object,
  answer: unknown,
): UnsignedTransaction {
  const transaction = zUnsignedTransaction.safeParse(answer)
  if (!transaction.success) {
    throw registryRefused(operation, 'the registry answered no unsigned transaction')
  }
  const { value, data } = transaction.data
  if (BigInt(value) !== 0n) {
    throw registryRefused(operation, 'the registry built a transaction that pays somebody')
  }
  const call = decodeCall(data)
  if (call !== undefined && !isAskedFor(call, operation, request)) {
    throw registryRefused(operation, `the registry built another transaction: ${call.name}`)
  }
  return transaction.data
}

/**
 * DIDs and hex stand in the call as they stand in the request, a vMethodId as its bytes; other members
 * are encoded.
 */
function isAskedFor({ name, args }: NamedCall, operation: string, request: object): boolean {
  if (name !== operation && name !== `${operation}ByAccount`) return false
  return Object.entries(request).every(([member, value]) => {
    if (!Object.hasOwn(args, member)) return true
    const text = String(value)
    if (text.startsWith('did:')) return args[member] === text
    const hex = isVerificationMethodId(text) ? hexOfBase64url(text) : text
    return !/^0x/.test(hex) || sameHex(String(args[member]), hex)
  })
}

// One vMethodId in 4096 begins with 0x itself.
function hexOfBase64url(text: string): string {
  return `0x${Buffer.from(text, 'base64url').toString('hex')}`
}

function sameHex(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
