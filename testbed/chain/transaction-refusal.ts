import { RpcError, rpcCodes } from './rpc-error.ts'

/**
 * The simulated network's refusals in the words that Ethereum clients look for: libraries tell a
 * refused nonce from missing funds by these texts.
 */
const knownRefusals: readonly (readonly [pattern: RegExp, message: (found: string) => string])[] = [
  [/nonce too low/i, (found) => `nonce too low: ${found}`],
  [/invalid chainId|chain ?id/i, (found) => `invalid chain id: ${found}`],
  [/enough funds/i, (found) => `insufficient funds for gas * price + value: ${found}`],
  [/^Known transaction/i, () => 'already known'],
  [/exceeds block gas limit/i, (found) => `exceeds block gas limit: ${found}`],
  [/requires at least \d+ gas/i, (found) => `intrinsic gas too low: ${found}`],
]

/** Turns what the network says of a raw transaction into the JSON-RPC error for its sender. */
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
