/** Error codes of JSON-RPC 2.0, section 5.1, and those of Ethereum nodes (EIP-1474). */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  transactionRefused: -32000,
  /** EIP-1474. */
  resourceUnavailable: -32002,
  limitExceeded: -32005,
} as const

/**
 * A JSON-RPC error answer of the chain node: code, message, and hex ABI data if a call reverted.
 */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: string | undefined

  constructor(code: number, message: string, data?: string) {
    super(message)
    this.code = code
    this.data = data
  }
}

/**
 * Rejections of the simulated network in the wording that Ethereum clients expect: libraries
 * distinguish a rejected nonce from missing funds by these texts.
 */
const knownRefusals: readonly (readonly [pattern: RegExp, message: (found: string) => string])[] = [
  [/nonce too low/i, (found) => `nonce too low: ${found}`],
  [/invalid chainId|chain ?id/i, (found) => `invalid chain id: ${found}`],
  [/enough funds/i, (found) => `insufficient funds for gas * price + value: ${found}`],
  [/^Known transaction/i, () => 'already known'],
  [/exceeds block gas limit/i, (found) => `exceeds block gas limit: ${found}`],
  [/requires at least \d+ gas/i, (found) => `intrinsic gas too low: ${found}`],
]

/** Converts the network's error for a raw transaction to the JSON-RPC error for its sender. */
export function refusalOf(refusal: unknown): RpcError {
  const found = refusal instanceof Error ? refusal.message : String(refusal)
  for (const [pattern, message] of knownRefusals) {
    if (pattern.test(found)) return new RpcError(rpcCodes.transactionRefused, message(found))
  }
  const code = (refusal as { code?: unknown } | null)?.code
  return new RpcError(
    code === rpcCodes.invalidParams ? rpcCodes.invalidParams : rpcCodes.transactionRefused,
    found,
  )
}
