const latest = 2n ** 64n - 1n

/**
 * Reads the query valid-at: Unix seconds as a decimal number, with an exponent if need be. The
 * fraction is dropped, as the registry knows whole seconds. Times beyond the contract's range become
 * its ends. Undefined for what is no number.
 */
export function parseValidAt(text: string): bigint | undefined {
  const match = /^([+-]?)(\d{1,40})(?:\.\d{0,40})?(e[+-]?\d{1,3})?$/i.exec(text)
  if (!match?.[2]) return undefined
  if (match[1] === '-') return 0n
  const value = Number(text)
  if (value >= Number(latest)) return latest
  return match[3] === undefined ? BigInt(match[2]) : BigInt(Math.floor(value))
}
