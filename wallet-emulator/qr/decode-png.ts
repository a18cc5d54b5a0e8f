import { inflateSync } from 'node:zlib'
import {
  type DecodeImageResult,
  type GreyImage,
  mostDecodedBytes,
  mostPixels,
} from './grey-image.ts'
import { channelsOf, createGreyPixelReader } from './grey-pixel-reader.ts'
import { type PngChunks, readPngChunks } from './read-png-chunks.ts'
import { unfilterPngRows } from './unfilter-png-rows.ts'

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
 * Decodes any PNG to greyscale on white, which is all that reading a QR code takes. Untrusted
 * input: the bytes that it takes are counted before the data is inflated, and inflating is bounded
 * by them.
 */
export function decodePng(bytes: Uint8Array): DecodeImageResult {
  const chunks = readPngChunks(bytes)
  if (!chunks) return { ok: false, reason: 'this is no PNG image, or a damaged one' }
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
    return { ok: false, reason: 'the image data does not inflate to the size of the image' }
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
  const grey = createGreyPixelReader(chunks)
  for (let row = 0; row < pass.rows; row++) {
    const start = row * (rowLength + 1) + 1
    const target = (pass.y + row * pass.stepY) * image.width + pass.x
    for (let column = 0; column < pass.columns; column++) {
      image.data[target + column * pass.stepX] = grey(rows, start, column)
    }
  }
}
