import { crc32, deflateSync } from 'node:zlib'
import encodeQR from 'qr'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export interface CreateQrPngOptions {
  /** Pixels per module. Default: enough for an image of about 400 pixels, at least 4. */
  readonly scale?: number
}

/**
 * Encodes a string as a QR code: a PNG with one bit per pixel and the quiet zone of four modules
 * that ISO/IEC 18004 requires. Throws a RangeError if the string exceeds the capacity of a QR code
 * (2 953 bytes).
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
  // One bit per pixel, greyscale; the standard compression and filter, no interlacing.
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(data, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

// Medium survives a smudge on paper; long content needs the space more than the correction.
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

// A terminal cell is about twice as high as wide, so each cell shows two modules.
const blocks = { '00': ' ', '01': '▄', '10': '▀', '11': '█' } as const

/**
 * Encodes a string as a QR code of half blocks for a terminal: lines of equal length, in which
 * light modules are drawn and dark modules are blank, because most terminals are dark. On a light
 * terminal, the code is inverted but readable, because the quiet zone of four modules (ISO/IEC
 * 18004) is drawn too. Throws a RangeError if the string exceeds the capacity of a QR code (2 953
 * bytes).
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
