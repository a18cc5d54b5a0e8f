import jsqr from 'jsqr'
import { PNG } from 'pngjs'

type Decode = (
  data: Uint8ClampedArray,
  width: number,
  height: number,
) => { readonly data: string } | null

// jsqr is CommonJS: under Node its function is the module, or the module's default.
const decode = ('default' in jsqr ? jsqr.default : jsqr) as unknown as Decode

/** The text of a QR code in RGBA pixels, read by jsqr; empty where there is none. */
export function readQrPixels(pixels: Uint8ClampedArray, width: number, height: number): string {
  return decode(pixels, width, height)?.data ?? ''
}

/** The text of a QR code in a PNG, read by pngjs and jsqr; empty where there is none. */
export function readQrPng(png: ArrayBuffer | Uint8Array): string {
  const { data, width, height } = PNG.sync.read(Buffer.from(png as Uint8Array))
  return readQrPixels(new Uint8ClampedArray(data), width, height)
}
