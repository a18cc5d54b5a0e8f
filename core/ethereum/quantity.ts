/** A number as the Ethereum JSON-RPC writes it: 0x and hex digits without leading zeros. */
export function toQuantity(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`
}

/** The inverse of {@link toQuantity}, which leading zeros don't disturb; undefined for anything else. */
export function parseQuantity(text: string): bigint | undefined {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text) ? BigInt(text) : undefined
}
