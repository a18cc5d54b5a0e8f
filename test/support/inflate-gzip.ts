/**
 * Unpacks gzip (RFC 1952 around RFC 1951) without zlib, so that independent code
 * reads what we pack.
 * @throws if the data violates the RFCs
 */
export function inflateGzip(data: Uint8Array): Uint8Array {
  if (data[0] !== 0x1f || data[1] !== 0x8b || data[2] !== 8) throw new Error('no gzip')
  if (data[3] !== 0) throw new Error('a gzip header with optional fields')
  const bits = createBitReader(data.subarray(10))
  const output: number[] = []
  for (let last = 0; last === 0; ) {
    last = bits.read(1)
    const type = bits.read(2)
    if (type === 0) copyStored(bits, output)
    else if (type === 1) inflateBlock(bits, output, fixedLengths(), Array(30).fill(5))
    else if (type === 2) inflateBlock(bits, output, ...readLengths(bits))
    else throw new Error('an unknown kind of block')
  }
  return Uint8Array.from(output)
}

type BitReader = ReturnType<typeof createBitReader>

function createBitReader(data: Uint8Array) {
  let position = 0
  const read = (count: number): number => {
    let value = 0
    for (let bit = 0; bit < count; bit++, position++) {
      const byte = data[position >> 3]
      if (byte === undefined) throw new Error('the data ends early')
      value |= ((byte >> (position & 7)) & 1) << bit
    }
    return value
  }
  const align = () => {
    position = (position + 7) & ~7
  }
  return { read, align }
}

function copyStored(bits: BitReader, output: number[]): void {
  bits.align()
  const length = bits.read(16)
  if ((length ^ 0xffff) !== bits.read(16)) throw new Error('a stored block of unclear length')
  for (let index = 0; index < length; index++) output.push(bits.read(8))
}

const fixedLengths = () => [
  ...Array<number>(144).fill(8),
  ...Array<number>(112).fill(9),
  ...Array<number>(24).fill(7),
  ...Array<number>(8).fill(8),
]

/** Canonical Huffman codes (RFC 1951, 3.2.2): symbol by `length:code`. */
function createCodes(lengths: readonly number[]): Map<string, number> {
  const codes = new Map<string, number>()
  let code = 0
  for (let length = 1; length <= 15; length++, code <<= 1) {
    lengths.forEach((own, symbol) => {
      if (own === length) codes.set(`${length}:${code++}`, symbol)
    })
  }
  return codes
}

function readSymbol(bits: BitReader, codes: Map<string, number>): number {
  let code = 0
  for (let length = 1; length <= 15; length++) {
    code = (code << 1) | bits.read(1)
    const symbol = codes.get(`${length}:${code}`)
    if (symbol !== undefined) return symbol
  }
  throw new Error('no code of this table')
}

const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

function readLengths(bits: BitReader): [number[], number[]] {
  const literals = bits.read(5) + 257
  const distances = bits.read(5) + 1
  const given = bits.read(4) + 4
  const lengthLengths: number[] = Array(19).fill(0)
  for (const place of lengthOrder.slice(0, given)) lengthLengths[place] = bits.read(3)
  const codes = createCodes(lengthLengths)
  const lengths: number[] = []
  while (lengths.length < literals + distances) {
    const symbol = readSymbol(bits, codes)
    if (symbol < 16) lengths.push(symbol)
    else if (symbol === 16) repeat(lengths, lengths.at(-1) ?? 0, 3 + bits.read(2))
    else if (symbol === 17) repeat(lengths, 0, 3 + bits.read(3))
    else repeat(lengths, 0, 11 + bits.read(7))
  }
  return [lengths.slice(0, literals), lengths.slice(literals)]
}

function repeat(lengths: number[], value: number, times: number): void {
  for (let time = 0; time < times; time++) lengths.push(value)
}

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258,
]
const lengthExtra = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
  3073, 4097, 6145, 8193, 12289, 16385, 24577,
]
const distanceExtra = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
]

function inflateBlock(
  bits: BitReader,
  output: number[],
  literalLengths: readonly number[],
  distanceLengths: readonly number[],
): void {
  const literals = createCodes(literalLengths)
  const distances = createCodes(distanceLengths)
  for (;;) {
    const symbol = readSymbol(bits, literals)
    if (symbol === 256) return
    if (symbol < 256) {
      output.push(symbol)
      continue
    }
    const place = symbol - 257
    const length = (lengthBase[place] ?? 0) + bits.read(lengthExtra[place] ?? 0)
    const far = readSymbol(bits, distances)
    const distance = (distanceBase[far] ?? 0) + bits.read(distanceExtra[far] ?? 0)
    for (let index = 0; index < length; index++) {
      const byte = output[output.length - distance]
      if (byte === undefined) throw new Error('a distance before the beginning')
      output.push(byte)
    }
  }
}
