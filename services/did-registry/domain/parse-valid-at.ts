const latest = 2n ** 64n - 1n

/**
 * Reads the query valid-at: decimal Unix seconds, whose fraction is dropped as the registry knows
 * whole seconds. Times beyond the contract's range become its ends. Undefined for what is no number.
 */
export function parseValidAt(text: string): bigint | undefined {
  const match = /^([+-]?)(\d{1,40})(?:\.\d{0,40})?$/.exec(text)
  if (!match?.[2]) return undefined
  if (match[1] === '-') return 0n
  const seconds = BigInt(match[2])
  return seconds > latest ? latest : seconds
}
