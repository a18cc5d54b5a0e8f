import { decodeJpeg } from './decode-jpeg.ts'
import { decodePng } from './decode-png.ts'
import type { DecodeImageResult } from './grey-image.ts'
import { type ReadQrOptions, type ReadQrResult, readQrCode } from './read-qr-code.ts'

/**
 * Reads the QR code on an image file, PNG or JPEG by its first bytes: a code, a screenshot, or a
 * photograph, whichever way up it was taken. It never throws for what the bytes hold.
 */
export function readQrImage(bytes: Uint8Array, options: ReadQrOptions = {}): ReadQrResult {
  const decoded = decodeImage(bytes)
  return decoded.ok ? readQrCode(decoded.image, options) : decoded
}

function decodeImage(bytes: Uint8Array): DecodeImageResult {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return decodePng(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return decodeJpeg(bytes)
  return { ok: false, reason: 'this is neither a PNG nor a JPEG image' }
}
