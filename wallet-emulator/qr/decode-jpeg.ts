import jpeg from 'jpeg-js'
import { type DecodeImageResult, lumaOf, mostDecodedBytes } from './grey-image.ts'
import { readJpegSegments } from './read-jpeg-segments.ts'

// The decoder keeps four bytes a sample, so that the twelve megapixels of a telephone take 240 MiB.
const maxMemoryUsageInMB = (2 * mostDecodedBytes) / 1024 / 1024

/**
 * Decodes a JPEG to greyscale. Untrusted input: the decoder sees only the segments that make up the
 * picture, and counts the bytes that it needs before it takes them. Orientation in EXIF is passed over: QR codes are read
 * whichever way up they are.
 */
export function decodeJpeg(bytes: Uint8Array): DecodeImageResult {
  const segments = readJpegSegments(bytes)
  if (!segments) return { ok: false, reason: 'this is no JPEG image, or a damaged one' }
  const { width, height } = segments
  try {
    const { data: rgb } = jpeg.decode(segments.picture, {
      useTArray: true,
      formatAsRGBA: false,
      // Without it a greyscale picture with restart markers is refused where the last interval is short.
      tolerantDecoding: true,
      maxMemoryUsageInMB,
    })
    const data = new Uint8Array(width * height)
    for (let pixel = 0, at = 0; pixel < data.length; pixel++, at += 3) {
      data[pixel] = lumaOf(rgb[at] ?? 255, rgb[at + 1] ?? 255, rgb[at + 2] ?? 255)
    }
    return { ok: true, image: { width, height, data } }
  } catch (error) {
    return /exceeded/.test(String(error))
      ? { ok: false, reason: `a JPEG image of ${width} x ${height} pixels is too large to read` }
      : { ok: false, reason: 'the JPEG image is damaged, or of a kind that is not read' }
  }
}
