/** Entry `index` of a list; undefined beyond its end. Entry 0 is the most significant bit. */
export function bitAt(bits: Uint8Array, index: number): boolean | undefined {
  const byte = bits[Math.floor(index / 8)]
  return byte === undefined ? undefined : (byte & (0x80 >> (index % 8))) !== 0
}

/** A copy of the list in which the given entries are set. Throws a RangeError beyond its end. */
export function setBits(bits: Uint8Array, indexes: Iterable<number>): Uint8Array {
  const copy = Uint8Array.from(bits)
  for (const index of indexes) {
    const position = Math.floor(index / 8)
    const byte = copy[position]
    if (byte === undefined || index < 0) throw new RangeError(`the list has no entry ${index}`)
    copy[position] = byte | (0x80 >> (index % 8))
  }
  return copy
}
