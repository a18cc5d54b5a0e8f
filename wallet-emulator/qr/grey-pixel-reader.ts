import { lumaOf, onWhite } from './grey-image.ts'
import type { PngChunks } from './read-png-chunks.ts'

/** Samples a pixel has in the given colour type (W3C PNG, table 9). */
export function channelsOf(colorType: number): number {
  return { 0: 1, 2: 3, 4: 2, 6: 4 }[colorType] ?? 1
}

export type GreyPixelReader = (rows: Uint8Array, rowStart: number, column: number) => number

/**
 * Gives the function that reads one pixel of an unfiltered row as grey on white, for the colour type
 * and bit depth of the image (W3C PNG, section 7.2). A colour that tRNS makes transparent in an image
 * without a palette is read as it is.
 */
export function createGreyPixelReader({
  bitDepth,
  colorType,
  palette,
  transparency,
}: PngChunks): GreyPixelReader {
  const channels = channelsOf(colorType)
  if (bitDepth < 8) {
    const mask = (1 << bitDepth) - 1
    const greys = Array.from({ length: mask + 1 }, (_, value) =>
      colorType === 3
        ? greyOfPalette(value, palette, transparency)
        : Math.round((value * 255) / mask),
    )
    return (rows, rowStart, column) => {
      const bit = column * bitDepth
      const byte = rows[rowStart + (bit >> 3)] ?? 0
      return greys[(byte >> (8 - bitDepth - (bit & 7))) & mask] ?? 0
    }
  }
  if (colorType === 3) {
    const greys = Array.from({ length: 256 }, (_, value) =>
      greyOfPalette(value, palette, transparency),
    )
    return (rows, rowStart, column) => greys[rows[rowStart + column] ?? 0] ?? 0
  }
  // Of 16 bits the upper 8 are plenty.
  const size = bitDepth >> 3
  const hasAlpha = colorType === 4 || colorType === 6
  return (rows, rowStart, column) => {
    const at = rowStart + column * channels * size
    const first = rows[at] ?? 0
    const grey =
      channels < 3 ? first : lumaOf(first, rows[at + size] ?? 0, rows[at + 2 * size] ?? 0)
    return hasAlpha ? onWhite(grey, rows[at + (channels - 1) * size] ?? 0) : grey
  }
}

function greyOfPalette(
  index: number,
  palette: Uint8Array | undefined,
  transparency: Uint8Array | undefined,
): number {
  const [red = 0, green = 0, blue = 0] = palette?.subarray(index * 3, index * 3 + 3) ?? []
  return onWhite(lumaOf(red, green, blue), transparency?.[index] ?? 255)
}
