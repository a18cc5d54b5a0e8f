import { crc32, deflateSync } from 'node:zlib'
import encodeQR from 'qr'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export interface CreateQrPngOptions {
  /** Pixels a module. By default as many as bring the image to about 400 pixels, at least 4. */
  readonly scale?: number
}

/**
 * Draws a text as a QR code: a PNG of one bit a pixel with the quiet zone of four modules that
 * ISO/IEC 18004 asks for. A text beyond a QR code's capacity (2 953 bytes) throws a RangeError.
 */
export function createQrPng(text: string, { scale }: CreateQrPngOptions = {}): Buffer {
  if (Buffer.byteLength(text) > 2953) throw new RangeError('the text is too long for a QR code')
  const modules = encodeQR(text, 'raw', { ecc: errorCorrectionFor(text), border: 4 })
  const pixelsPerModule = scale ?? Math.max(4, Math.round(400 / modules.length))
  const size = modules.length * pixelsPerModule
  const rows = modules.map((row) => drawRow(row, pixelsPerModule, size))
  const data = Buffer.concat(rows.flatMap((row) => Array<Buffer>(pixelsPerModule).fill(row)))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // One bit a pixel, greyscale; the standard compression and filter, no interlacing.
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(data, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

// Medium survives a smudge on paper; a long text needs the room more than it needs the correction.
function errorCorrectionFor(text: string): 'medium' | 'low' {
  return Buffer.byteLength(text) <= 1000 ? 'medium' : 'low'
}

function drawRow(row: readonly boolean[], scale: number, size: number): Buffer {
  // The first byte is the row's filter: none. White is 1.
  const bytes = Buffer.alloc(1 + Math.ceil(size / 8))
  for (let pixel = 0; pixel < size; pixel++) {
    if (row[Math.floor(pixel / scale)]) continue
    const index = 1 + (pixel >> 3)
    bytes[index] = (bytes[index] ?? 0) | (0x80 >> (pixel & 7))
  }
  return bytes
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

// A cell of a terminal is about twice as high as it is wide: each holds two modules.
const blocks = { '00': ' ', '01': '▄', '10': '▀', '11': '█' } as const

/**
 * Draws a text as a QR code of half blocks, for a terminal: lines of equal length, light modules
 * drawn and dark ones left blank, as terminals are mostly dark. With the quiet zone of four modules
 * (ISO/IEC 18004) drawn too, it is read from a light terminal as well, where it is inverted.
 * A text beyond a QR code's capacity (2 953 bytes) throws a RangeError.
 */
export function drawQrBlocks(text: string): readonly string[] {
  if (Buffer.byteLength(text) > 2953) throw new RangeError('the text is too long for a QR code')
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: 4 })
  const lines: string[] = []
  for (let row = 0; row < modules.length; row += 2) {
    const [upper = [], lower] = [modules[row], modules[row + 1]]
    lines.push(
      upper
        .map((dark, column) => blocks[`${lightOf(dark)}${lightOf(lower?.[column] ?? true)}`])
        .join(''),
    )
  }
  return lines
}

const lightOf = (dark: boolean) => (dark ? '0' : '1')
