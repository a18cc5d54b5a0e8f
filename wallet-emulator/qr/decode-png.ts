import zlib, { inflateSync } from 'node:zlib'
import {
  type DecodeImageResult,
  type GreyImage,
  lumaOf,
  mostDecodedBytes,
  mostPixels,
  onWhite,
} from './grey-image.ts'

// A namespace import, so that an old Node without `crc32` can still report that it is too old.

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The parts of a PNG that define its pixels: the header, the colours, and the compressed data. */
interface PngChunks {
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
 * Parses the chunks of a PNG (W3C PNG, sections 5 and 11). Undefined if the bytes are not a valid
 * PNG: a wrong signature or checksum, an unknown critical chunk, or an invalid header.
 */
function readPngChunks(bytes: Uint8Array): PngChunks | undefined {
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

/** Samples per pixel for each colour type (W3C PNG, table 9). */
function channelsOf(colorType: number): number {
  return { 0: 1, 2: 3, 4: 2, 6: 4 }[colorType] ?? 1
}

/** Where the pixels of a row are drawn. */
interface TargetRow {
  readonly pixels: Uint8Array
  /** Index of the first one. */
  readonly first: number
  readonly step: number
  readonly columns: number
}

type DrawRow = (rows: Uint8Array, rowStart: number, target: TargetRow) => void

/**
 * Returns the function that draws an unfiltered row as grey on white, for the colour type and bit
 * depth of the image (W3C PNG, section 7.2). Ignores the transparent colour of tRNS in an image
 * without a palette. A call per pixel would take longer than the rest of the decoding.
 */
function createRowDrawer({ bitDepth, colorType, palette, transparency }: PngChunks): DrawRow {
  const channels = channelsOf(colorType)
  if (bitDepth < 8 || colorType === 3) {
    const mask = (1 << bitDepth) - 1
    const greys = Uint8Array.from({ length: mask + 1 }, (_, value) =>
      colorType === 3
        ? greyOfPalette(value, palette, transparency)
        : Math.round((value * 255) / mask),
    )
    return (rows, rowStart, { pixels, first, step, columns }) => {
      for (let column = 0; column < columns; column++) {
        const bit = column * bitDepth
        const byte = rows[rowStart + (bit >> 3)] ?? 0
        pixels[first + column * step] = greys[(byte >> (8 - bitDepth - (bit & 7))) & mask] ?? 0
      }
    }
  }
  // Of 16 bits, the upper 8 are sufficient.
  const size = bitDepth >> 3
  const hasAlpha = colorType === 4 || colorType === 6
  return (rows, rowStart, { pixels, first, step, columns }) => {
    for (let column = 0; column < columns; column++) {
      const at = rowStart + column * channels * size
      const red = rows[at] ?? 0
      const grey = channels < 3 ? red : lumaOf(red, rows[at + size] ?? 0, rows[at + 2 * size] ?? 0)
      pixels[first + column * step] = hasAlpha
        ? onWhite(grey, rows[at + (channels - 1) * size] ?? 0)
        : grey
    }
  }
}

function greyOfPalette(
  index: number,
  palette: Uint8Array | undefined,
  transparency: Uint8Array | undefined,
): number {
  const [red = 0, green = 0, blue = 0] = palette?.subarray(index * 3, index * 3 + 3) ?? []
  return onWhite(lumaOf(red, green, blue), transparency?.[index] ?? 255)
}

/**
 * Undoes the row filters of a PNG in place (W3C PNG, section 9). Each row is one filter byte and
 * `rowLength` bytes; `pixelLength` is the distance to the pixel on the left in bytes, at least 1.
 * False if a row has an unknown filter.
 */
function unfilterPngRows(
  data: Uint8Array,
  { rows, rowLength, pixelLength }: { rows: number; rowLength: number; pixelLength: number },
): boolean {
  const stride = rowLength + 1
  for (let row = 0; row < rows; row++) {
    const start = row * stride + 1
    const filter = data[start - 1] ?? 0
    if (filter > 4) return false
    if (filter === 0) continue
    for (let column = 0; column < rowLength; column++) {
      const index = start + column
      const left = column < pixelLength ? 0 : (data[index - pixelLength] ?? 0)
      const up = row === 0 ? 0 : (data[index - stride] ?? 0)
      const upLeft =
        row === 0 || column < pixelLength ? 0 : (data[index - stride - pixelLength] ?? 0)
      data[index] = (data[index] ?? 0) + predict(filter, left, up, upLeft)
    }
  }
  return true
}

function predict(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const estimate = left + up - upLeft
  const toLeft = Math.abs(estimate - left)
  const toUp = Math.abs(estimate - up)
  const toUpLeft = Math.abs(estimate - upLeft)
  if (toLeft <= toUp && toLeft <= toUpLeft) return left
  return toUp <= toUpLeft ? up : upLeft
}

// W3C PNG, section 8.2: first column and row of each pass, and the steps between its pixels.
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/**
 * Decodes any PNG to greyscale on white, which is sufficient for QR codes. Untrusted input: the
 * required bytes are counted before the data is decompressed, and they limit the decompression.
 */
export function decodePng(bytes: Uint8Array): DecodeImageResult {
  const chunks = readPngChunks(bytes)
  if (!chunks) return { ok: false, reason: 'this is not a PNG image, or it is damaged' }
  const { width, height } = chunks
  const pixels = width * height
  const decodedBytes = pixels * (1 + bitsOf(chunks) / 8)
  if (pixels === 0 || pixels > mostPixels || decodedBytes > mostDecodedBytes) {
    return { ok: false, reason: `a PNG image of ${width} x ${height} pixels is too large to read` }
  }
  const passes = passesOf(chunks)
  const rowLengths = passes.map((pass) => Math.ceil((pass.columns * bitsOf(chunks)) / 8))
  const length = passes.reduce((sum, pass, i) => sum + pass.rows * (1 + (rowLengths[i] ?? 0)), 0)
  let data: Uint8Array
  try {
    data = inflateSync(chunks.data, { maxOutputLength: length })
  } catch {
    return { ok: false, reason: 'the decompressed data does not match the size of the image' }
  }
  if (data.length !== length) return { ok: false, reason: 'the image data is incomplete' }
  const image = { width, height, data: new Uint8Array(width * height) }
  const pixelLength = Math.max(1, bitsOf(chunks) >> 3)
  let offset = 0
  for (const [index, pass] of passes.entries()) {
    const rowLength = rowLengths[index] ?? 0
    const part = data.subarray(offset, offset + pass.rows * (1 + rowLength))
    offset += part.length
    if (!unfilterPngRows(part, { rows: pass.rows, rowLength, pixelLength })) {
      return { ok: false, reason: 'a row of the image has an unknown filter' }
    }
    drawPass(image, part, { pass, rowLength, chunks })
  }
  return { ok: true, image }
}

interface Pass {
  readonly x: number
  readonly y: number
  readonly stepX: number
  readonly stepY: number
  readonly columns: number
  readonly rows: number
}

function passesOf({ width, height, interlaced }: PngChunks): Pass[] {
  if (!interlaced) return [{ x: 0, y: 0, stepX: 1, stepY: 1, columns: width, rows: height }]
  return adam7
    .map(([x, y, stepX, stepY]) => ({
      x,
      y,
      stepX,
      stepY,
      columns: Math.ceil((width - x) / stepX),
      rows: Math.ceil((height - y) / stepY),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
}

function bitsOf({ bitDepth, colorType }: PngChunks): number {
  return bitDepth * channelsOf(colorType)
}

function drawPass(
  image: GreyImage,
  rows: Uint8Array,
  { pass, rowLength, chunks }: { pass: Pass; rowLength: number; chunks: PngChunks },
): void {
  const drawRow = createRowDrawer(chunks)
  for (let row = 0; row < pass.rows; row++) {
    const first = (pass.y + row * pass.stepY) * image.width + pass.x
    const target = { pixels: image.data, first, step: pass.stepX, columns: pass.columns }
    drawRow(rows, row * (rowLength + 1) + 1, target)
  }
}
