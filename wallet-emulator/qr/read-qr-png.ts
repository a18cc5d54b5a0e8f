import { decodeQR } from 'qr/decode.js'
import { decodePng, type GreyImage } from './decode-png.ts'
import { resizeGreyImage } from './resize-grey-image.ts'

export type ReadQrPngResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string }

const largestSide = 4000

/**
 * Reads the QR code on a PNG image: the code alone, or a screenshot of a page with a code somewhere
 * on it. The plain image is tried first; where that fails, once more with patience, then with a
 * margin (for codes cut out without their quiet zone) and enlarged (for codes of one or two pixels a
 * module).
 */
export function readQrPng(bytes: Uint8Array): ReadQrPngResult {
  const decoded = decodePng(bytes)
  if (!decoded.ok) return decoded
  for (const attempt of attemptsFor(decoded.image)) {
    try {
      const { image, milliseconds } = attempt()
      const text = decodeQR(
        { width: image.width, height: image.height, data: image.data },
        // The luma plane of I420 is greyscale as it is; the rest of that format is not read.
        { format: 'I420', effort: milliseconds === 0 ? 1 : Infinity, timeLimit: milliseconds },
      )
      return { ok: true, text }
    } catch {
      // The next attempt.
    }
  }
  return { ok: false, reason: 'there is no readable QR code on the image' }
}

function attemptsFor(image: GreyImage): (() => { image: GreyImage; milliseconds: number })[] {
  const enlarged = [1, 2, 4].filter((scale) => {
    return Math.max(image.width, image.height) * scale <= largestSide
  })
  return [
    () => ({ image, milliseconds: 0 }),
    () => ({ image, milliseconds: 500 }),
    ...enlarged.map((scale) => () => ({
      image: resizeGreyImage(image, { scale, margin: 16 * scale }),
      milliseconds: 500,
    })),
  ]
}
