import { crc32, deflateSync } from 'node:zlib'

/** Frames chunks as a PNG file, ended by IEND. */
export function buildPng(chunks: readonly (readonly [type: string, body: Uint8Array])[]): Buffer {
  const framed = [...chunks, ['IEND', Buffer.alloc(0)] as const].map(([type, body]) => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(crc32(typed))
    return Buffer.concat([length, typed, checksum])
  })
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...framed])
}

export interface IndexedPngOptions {
  width: number
  height: number
  bitDepth: 1 | 2 | 4 | 8
  interlaced: boolean
  /** Rows in the image data, where they shall differ from the height. */
  rows?: number
}

const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** A palette PNG, which no library at hand writes: colours with alpha, every pixel another index. */
export function encodeIndexedPng({
  width,
  height,
  bitDepth,
  interlaced,
  rows = height,
}: IndexedPngOptions): Buffer {
  const colours = 1 << bitDepth
  const palette = Buffer.alloc(colours * 3)
  const alpha = Buffer.alloc(colours)
  for (let i = 0; i < colours; i++) {
    palette.set([(i * 37) & 255, (i * 91 + 20) & 255, (255 - i * 13) & 255], i * 3)
    alpha[i] = i % 3 === 0 ? 128 : 255
  }
  const passes = interlaced ? adam7 : ([[0, 0, 1, 1]] as const)
  const bytes: number[] = []
  for (const [x0, y0, stepX, stepY] of passes) {
    for (let y = y0; y < rows; y += stepY) {
      let row = ''
      for (let x = x0; x < width; x += stepX) {
        row += ((x * 5 + y * 3) % colours).toString(2).padStart(bitDepth, '0')
      }
      if (row === '') continue
      bytes.push(0)
      for (let i = 0; i < row.length; i += 8) {
        bytes.push(Number.parseInt(row.slice(i, i + 8).padEnd(8, '0'), 2))
      }
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bitDepth, 3, 0, 0, interlaced ? 1 : 0], 8)
  return buildPng([
    ['IHDR', header],
    ['PLTE', palette],
    ['tRNS', alpha],
    ['IDAT', deflateSync(Uint8Array.from(bytes))],
  ])
}
