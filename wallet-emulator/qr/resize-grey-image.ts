import type { GreyImage } from './grey-image.ts'

export interface ResizeGreyImageOptions {
  /** How many pixels each pixel becomes, in both directions. */
  readonly scale: number
  /** White pixels around the result. */
  readonly margin: number
}

/** Enlarges a greyscale image by whole pixels and puts a white margin around it. */
export function resizeGreyImage(
  image: GreyImage,
  { scale, margin }: ResizeGreyImageOptions,
): GreyImage {
  const width = image.width * scale + 2 * margin
  const height = image.height * scale + 2 * margin
  const data = new Uint8Array(width * height).fill(255)
  for (let y = 0; y < image.height; y++) {
    const start = (margin + y * scale) * width + margin
    for (let x = 0; x < image.width; x++) {
      const from = start + x * scale
      data.fill(image.data[y * image.width + x] ?? 255, from, from + scale)
    }
    for (let copy = 1; copy < scale; copy++) {
      data.copyWithin(start + copy * width, start, start + image.width * scale)
    }
  }
  return { width, height, data }
}
