import { decodeCall, type NamedCall } from '#core/contracts/decode-abi.ts'
import { isVerificationMethodId } from '#core/did/did-org.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { toHex } from '#core/ethereum/account.ts'
import { type UnsignedTransaction, zUnsignedTransaction } from '#core/ethereum/transaction.ts'
import { listIssues, plainIssues } from '#core/json/plain-issues.ts'
import { differentTransaction, type RegistryAnswer, registryRefused } from './errors.ts'

interface RegistryRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** The JSON body of a POST; without it the request is a GET. */
  readonly json?: unknown
}

/**
 * Sends a request to a registry. The path is below its base address. Returns responses of any
 * status; throws if there is no response.
 */
export type RequestRegistry = (path: string, request?: RegistryRequest) => Promise<RegistryAnswer>

/**
 * Parses a transaction that a registry has built. Its value must be 0 (profile/transactions,
 * Unsigned transaction) and its call must match the request: a transaction that transfers value or
 * writes something else is never signed, because the registry is not trusted. The calls of unknown
 * contracts cannot be checked.
 * @param operation the requested operation
 * @param request the members of the request
 * @throws TestbedError `registry_refused`
 */
export function parseBuiltTransaction(
  operation: string,
  request: object,
  answer: unknown,
): UnsignedTransaction {
  const transaction = zUnsignedTransaction.safeParse(answer, plainIssues)
  if (!transaction.success) {
    const problems = listIssues(transaction.error)
    throw registryRefused(
      operation,
      `the registry did not return an unsigned transaction: ${problems}`,
    )
  }
  const { value, data } = transaction.data
  if (BigInt(value) !== 0n) {
    throw registryRefused(operation, 'the registry built a transaction that transfers value')
  }
  const call = decodeCall(data)
  if (call !== undefined && !isAskedFor(call, operation, request)) {
    throw differentTransaction(operation, call.name)
  }
  return transaction.data
}

/**
 * DIDs and hex values are the same in the call and in the request; a vMethodId is bytes in the
 * call. Other members have different encodings and are not compared.
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

// One in 4096 vMethodIds begins with 0x.
function hexOfBase64url(text: string): string {
  return toHex(Buffer.from(text, 'base64url'))
}

function sameHex(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/**
 * True if a registry rejected a transaction because another transaction of the account took its
 * nonce.
 */
function isStaleNonce(error: unknown): boolean {
  if (!isTestbedError(error) || error.code !== 'registry_refused') return false
  const { error: code } = error.extra
  // The TIR has a single code for all invalid transactions, so the message decides.
  return code === 'invalid_nonce' || (code === -32602 && /\bnonce\b/i.test(error.message))
}

/**
 * Repeats the work from building on if another transaction of the same account took the nonce
 * between building and sending. In that case nothing was sent. Each concurrent user of the account
 * causes at most one repetition.
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
