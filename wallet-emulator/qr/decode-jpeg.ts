import jpeg from 'jpeg-js'
import { type DecodeImageResult, lumaOf, mostDecodedBytes, mostPixels } from './grey-image.ts'

/** The parts of a JPEG that form its picture, as a separate JPEG. */
interface JpegSegments {
  readonly width: number
  readonly height: number
  /** The number of times that a decoder goes through the picture. */
  readonly scans: number
  readonly picture: Uint8Array
}

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const adobe = 0xee
/** Baseline, extended and progressive frames; lossless and arithmetic frames are not supported. */
const frames = [0xc0, 0xc1, 0xc2]
/** Huffman tables, quantization tables, restart interval. */
const tables = [0xc4, 0xdb, 0xdd]
const mostScans = 64
// An empty scan has a few bytes, and takes as long as a full one. Cameras write about ten scans.
const mostScannedPixels = 4 * mostPixels

/**
 * Parses a JPEG (ITU-T T.81, annex B) and keeps the segments of its picture: one frame, its tables
 * and scans, and Adobe's colour information. Drops comments, thumbnails and data after the end.
 * Undefined if the file is malformed, because decoders trust these numbers, and scans are cheap to
 * write but expensive to decode.
 */
function readJpegSegments(bytes: Uint8Array): JpegSegments | undefined {
  const jpeg = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (jpeg[0] !== 0xff || jpeg[1] !== startOfImage) return undefined
  const kept: Buffer[] = [jpeg.subarray(0, 2)]
  let size: { readonly width: number; readonly height: number } | undefined
  let scans = 0
  let position = 2
  while (position + 4 <= jpeg.length) {
    if (jpeg[position] !== 0xff) return undefined
    const marker = jpeg[position + 1] ?? 0
    if (marker === 0xff) {
      position++
      continue
    }
    if (marker === endOfImage) break
    const bodyStart = position + 4
    let end = position + 2 + jpeg.readUInt16BE(position + 2)
    if (end < bodyStart || end > jpeg.length) return undefined
    const body = jpeg.subarray(bodyStart, end)
    if (frames.includes(marker)) {
      if (size || !isFrame(body)) return undefined
      size = { height: body.readUInt16BE(1), width: body.readUInt16BE(3) }
    } else if (marker === startOfScan) {
      if (!size || !isScan(body) || ++scans > mostScans) return undefined
      end = endOfScan(jpeg, end)
    }
    if (isKept(marker)) kept.push(jpeg.subarray(position, end))
    position = end
  }
  if (!size || scans === 0) return undefined
  // A file cut off in the middle of a scan ends here too: decoders stop at the marker.
  kept.push(Buffer.from([0xff, endOfImage]))
  return { ...size, scans, picture: Buffer.concat(kept) }
}

function isKept(marker: number): boolean {
  return (
    frames.includes(marker) || tables.includes(marker) || marker === startOfScan || marker === adobe
  )
}

/** Precision, height, width, number of components, and three bytes for each of them (B.2.2). */
function isFrame(body: Buffer): boolean {
  const components = body[5] ?? 0
  if (components < 1 || components > 4 || body.length !== 6 + 3 * components) return false
  if (body[0] !== 8 || body.readUInt16BE(1) === 0 || body.readUInt16BE(3) === 0) return false
  return Array.from({ length: components }, (_, index) => body[7 + 3 * index] ?? 0).every(
    (sampling) => [sampling >> 4, sampling & 15].every((factor) => factor >= 1 && factor <= 4),
  )
}

/** Number of components, two bytes for each, three bytes of parameters (B.2.3). */
function isScan(body: Buffer): boolean {
  const components = body[0] ?? 0
  return components >= 1 && components <= 4 && body.length === 4 + 2 * components
}

/**
 * Returns the end of the compressed data: the next marker except for restart markers (B.1.1.2,
 * B.1.1.5).
 */
function endOfScan(jpeg: Buffer, start: number): number {
  for (let at = jpeg.indexOf(0xff, start); at !== -1; at = jpeg.indexOf(0xff, at + 1)) {
    const next = jpeg[at + 1] ?? 0
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7)
    if (!isData && next !== 0xff) return at
  }
  return jpeg.length
}

// The decoder keeps four bytes per sample, so the 12 megapixels of a phone need 240 MiB.
const maxMemoryUsageInMB = (2 * mostDecodedBytes) / 1024 / 1024

/**
 * Decodes a JPEG to greyscale. Untrusted input: the decoder sees only the segments of the picture
 * and counts the bytes that it needs before it allocates them. Ignores the EXIF orientation,
 * because QR codes are readable in any orientation.
 */
export function decodeJpeg(bytes: Uint8Array): DecodeImageResult {
  const segments = readJpegSegments(bytes)
  if (!segments) return { ok: false, reason: 'this is not a JPEG image, or it is damaged' }
  const { width, height, scans } = segments
  if (width * height * scans > mostScannedPixels) {
    return {
      ok: false,
      reason: `a JPEG image of ${width} x ${height} pixels in ${scans} scans is too large to read`,
    }
  }
  try {
    const { data: rgb } = jpeg.decode(segments.picture, {
      useTArray: true,
      formatAsRGBA: false,
      // Without this option, the decoder rejects greyscale pictures with restart markers if the
      // last interval is short.
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
      : { ok: false, reason: 'the JPEG image is damaged or its type is not supported' }
  }
}
