import jpeg from 'jpeg-js'
import { type DecodeImageResult, lumaOf } from './grey-image.ts'
import { readJpegSegments } from './read-jpeg-segments.ts'

export interface DecodeJpegOptions {
  /** More pixels than this are refused before anything is allocated. */
  readonly maxPixels?: number
}

const maxMemoryUsageInMB = 512

/**
 * Decodes a JPEG to greyscale. Untrusted input: the decoder sees only the segments that make up the
 * picture, and of a size that was checked. Orientation in EXIF is passed over: QR codes are read
 * whichever way up they are.
 */
export function decodeJpeg(
  bytes: Uint8Array,
  { maxPixels = 25_000_000 }: DecodeJpegOptions = {},
): DecodeImageResult {
  const segments = readJpegSegments(bytes)
  if (!segments) return { ok: false, reason: 'this is no JPEG image, or a damaged one' }
  const { width, height } = segments
  if (width * height > maxPixels) {
    return { ok: false, reason: `an image of ${width} x ${height} pixels is not read` }
  }
  try {
    const { data: rgb } = jpeg.decode(segments.picture, {
      useTArray: true,
      formatAsRGBA: false,
      // Without it a greyscale picture with restart markers is refused where the last interval is short.
      tolerantDecoding: true,
      maxResolutionInMP: maxPixels / 1_000_000,
      maxMemoryUsageInMB,
    })
    const data = new Uint8Array(width * height)
    for (let pixel = 0, at = 0; pixel < data.length; pixel++, at += 3) {
      data[pixel] = lumaOf(rgb[at] ?? 255, rgb[at + 1] ?? 255, rgb[at + 2] ?? 255)
    }
    return { ok: true, image: { width, height, data } }
  } catch {
    return { ok: false, reason: 'the JPEG image is damaged, or of a kind that is not read' }
  }
}
