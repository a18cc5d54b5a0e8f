import { decodeCall, type NamedCall } from '#core/contracts/decode-abi.ts'
import { isVerificationMethodId } from '#core/did/did-org.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { type UnsignedTransaction, zUnsignedTransaction } from '#core/ethereum/transaction.ts'
import { type RegistryAnswer, registryRefused } from './errors.ts'

interface RegistryRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** Posted as JSON; without it the request is a GET. */
  readonly json?: unknown
}

/**
 * How a registry is reached: the path is below its base address, every status is an answer, and
 * where there was none it throws.
 */
export type RequestRegistry = (path: string, request?: RegistryRequest) => Promise<RegistryAnswer>

/**
 * Reads what a registry has built. Its value is 0 (profile/transactions, Unsigned transaction) and
 * its call is
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

/** Whether a registry refused a transaction since another one of the account came first. */
function isStaleNonce(error: unknown): boolean {
  if (!isTestbedError(error) || error.code !== 'registry_refused') return false
  const { error: code } = error.extra
  // The TIR has one code for all that is wrong with a transaction; the words have to tell.
  return code === 'invalid_nonce' || (code === -32602 && /\bnonce\b/i.test(error.message))
}

/**
 * Does the work again from building on, where another transaction of the same account took the nonce
 * between building and sending: nothing was sent then. An account that others use as well loses at
 * most once to each of them.
 */
export async function buildAgainWhenStale<T>(work: () => Promise<T>, attempts = 20): Promise<T> {
  for (let left = attempts; ; left -= 1) {
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || !isStaleNonce(error)) throw error
    }
  }
}
