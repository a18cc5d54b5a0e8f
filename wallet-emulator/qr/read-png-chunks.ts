// By the module, not by name: a Node without `crc32` has to get as far as saying that it is too old.
import zlib from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** What of a PNG matters for its pixels: the header, the colours, and the compressed data. */
export interface PngChunks {
  readonly width: number
  readonly height: number
  readonly bitDepth: number
  readonly colorType: number
  readonly interlaced: boolean
  readonly palette: Uint8Array | undefined
  readonly transparency: Uint8Array | undefined
  readonly data: Uint8Array
}

// W3C PNG, table 12: the bit depths that each colour type may have.
const bitDepths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/**
 * Takes a PNG's chunks apart (W3C PNG, sections 5 and 11). Undefined where the bytes are no PNG:
 * a wrong signature or checksum, an unknown critical chunk, a header that the format does not know.
 */
export function readPngChunks(bytes: Uint8Array): PngChunks | undefined {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!png.subarray(0, 8).equals(signature)) return undefined
  let header: Buffer | undefined
  let palette: Buffer | undefined
  let transparency: Buffer | undefined
  const data: Buffer[] = []
  let position = 8
  while (position + 12 <= png.length) {
    const end = position + 8 + png.readUInt32BE(position)
    if (end + 4 > png.length) return undefined
    const type = png.toString('latin1', position + 4, position + 8)
    const body = png.subarray(position + 8, end)
    if (zlib.crc32(png.subarray(position + 4, end)) !== png.readUInt32BE(end)) return undefined
    if (type === 'IEND') break
    if (type === 'IHDR') header = body
    else if (type === 'PLTE') palette = body
    else if (type === 'tRNS') transparency = body
    else if (type === 'IDAT') data.push(body)
    else if (/^[A-Z]/.test(type)) return undefined
    position = end + 4
  }
  if (header?.length !== 13) return undefined
  const [bitDepth = 0, colorType = 0, compression, filter, interlace = 0] = header.subarray(8)
  if (!bitDepths[colorType]?.includes(bitDepth)) return undefined
  if (compression !== 0 || filter !== 0 || interlace > 1) return undefined
  if (colorType === 3 && !palette) return undefined
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    bitDepth,
    colorType,
    interlaced: interlace === 1,
    palette,
    transparency,
    data: Buffer.concat(data),
  }
}
