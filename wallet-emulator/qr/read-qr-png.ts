import { decodePng } from './decode-png.ts'
import { type ReadQrOptions, type ReadQrResult, readQrCode } from './read-qr-code.ts'

/** Reads the QR code on a PNG image: the code alone, or a screenshot of a page with one on it. */
export function readQrPng(bytes: Uint8Array, options: ReadQrOptions = {}): ReadQrResult {
  const decoded = decodePng(bytes)
  return decoded.ok ? readQrCode(decoded.image, options) : decoded
}
