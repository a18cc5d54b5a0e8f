import jsqr from 'jsqr'
import { PNG } from 'pngjs'

type Decode = (
  data: Uint8ClampedArray,
  width: number,
  height: number,
) => { readonly data: string } | null

/** The text of a QR code in a PNG, read by pngjs and jsqr; empty where there is none. */
export function readQrPng(png: ArrayBuffer | Uint8Array): string {
  const { data, width, height } = PNG.sync.read(Buffer.from(png as Uint8Array))
  const decode = ('default' in jsqr ? jsqr.default : jsqr) as unknown as Decode
  return decode(new Uint8ClampedArray(data), width, height)?.data ?? ''
}
