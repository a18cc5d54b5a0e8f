import { decodeQR } from 'qr/decode.js'
import { halve, mirror, sharpen, soften, stretchContrast, turn } from './adjust-grey-image.ts'
import type { GreyImage } from './grey-image.ts'
import { resizeGreyImage } from './resize-grey-image.ts'

/** The text of a code, or why there is none. */
export type ReadQrResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string }

/** How much time reading a code may take. */
export interface ReadQrOptions {
  /** After this no further attempt begins. Readable codes take a few milliseconds. */
  readonly timeLimitMilliseconds?: number
}

const largestEnlarged = 4000
const largestAdjusted = 2048

/**
 * Reads the QR code on a greyscale image: the code alone, or somewhere in a screenshot or a
 * photograph, light on dark or dark on light, at any angle. The plain image is tried first, then once
 * more with patience; where that fails with a margin (for codes cut out without their quiet zone),
 * enlarged (for codes of one or two pixels a module), mirrored, with more contrast, with less noise,
 * turned, and sharpened.
 */
export function readQrCode(
  image: GreyImage,
  { timeLimitMilliseconds = 5000 }: ReadQrOptions = {},
): ReadQrResult {
  const end = performance.now() + timeLimitMilliseconds
  const plain = decode(image, 0)
  if (plain !== undefined) return { ok: true, text: plain }
  const patience = Math.min(500, timeLimitMilliseconds / 8)
  for (const attempt of attemptsFor(image)) {
    if (performance.now() > end) break
    const text = decode(attempt(), patience)
    if (text !== undefined) return { ok: true, text }
  }
  return { ok: false, reason: 'there is no readable QR code on the image' }
}

function decode({ width, height, data }: GreyImage, milliseconds: number): string | undefined {
  try {
    // The luma plane of I420 is greyscale as it is; the rest of that format is not read.
    const effort = milliseconds === 0 ? 1 : Infinity
    return decodeQR({ width, height, data }, { format: 'I420', effort, timeLimit: milliseconds })
  } catch {
    return undefined
  }
}

function attemptsFor(image: GreyImage): (() => GreyImage)[] {
  const largest = Math.max(image.width, image.height)
  const enlarged = [1, 2, 4].filter((scale) => largest * scale <= largestEnlarged)
  let smaller = image
  const adjusted = (change: (small: GreyImage) => GreyImage) => () => {
    while (Math.max(smaller.width, smaller.height) > largestAdjusted) smaller = halve(smaller)
    return change(smaller)
  }
  return [
    () => image,
    ...enlarged.map((scale) => () => resizeGreyImage(image, { scale, margin: 16 * scale })),
    adjusted(mirror),
    adjusted(stretchContrast),
    adjusted((small) => halve(soften(small, 1))),
    // Codes that stand on a corner are found less well than others.
    adjusted((small) => turn(small, 22.5)),
    adjusted(sharpen),
    adjusted((small) => soften(small, 2)),
  ]
}
