import { _QRScanner } from 'qr/decode.js'
import { decodeJpeg } from './decode-jpeg.ts'
import { decodePng } from './decode-png.ts'
import {
  type DecodeImageResult,
  type GreyImage,
  halve,
  lumaOf,
  mirror,
  mostPixels,
  onWhite,
  resizeGreyImage,
  sharpen,
  soften,
  stretchContrast,
  turn,
} from './grey-image.ts'

/** The text of a code, or why it could not be read. */
export type ReadQrResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string }

/** Limits the time for reading a code. */
export interface ReadQrOptions {
  /**
   * No further attempt begins after this time, and the last one ends within a second. Readable codes
   * need a few milliseconds.
   */
  readonly timeLimitMilliseconds?: number
}

const largestEnlarged = 4000
const largestAdjusted = 2048
const lastAttemptMilliseconds = 1000

/**
 * The steps of a scan, each a few rows. `decodeQR` makes them without a limit, and for an image full
 * of patterns like the corners of a code, 20 kB of PNG, they take minutes.
 */
interface Stepwise {
  walk(isCooperative: true, all: false): Iterator<void, readonly (string | Error)[], number>
}

/**
 * Reads the QR code in a greyscale image: only the code, or a code in a screenshot or a photograph,
 * light on dark or dark on light, at any angle. Tries the plain image first, then again with more
 * effort. If that fails, it tries the image with a margin (for codes without a quiet zone),
 * enlarged (for codes with one or two pixels per module), mirrored, with more contrast, with less
 * noise, rotated, and sharpened.
 */
function readQrCode(
  image: GreyImage,
  { timeLimitMilliseconds = 5000 }: ReadQrOptions = {},
): ReadQrResult {
  const end = performance.now() + timeLimitMilliseconds
  const plain = decode(image, 0, end)
  if (plain !== undefined) return { ok: true, text: plain }
  const patience = Math.min(500, timeLimitMilliseconds / 8)
  for (const attempt of attemptsFor(image)) {
    if (performance.now() > end) break
    const text = decode(attempt(), patience, end)
    if (text !== undefined) return { ok: true, text }
  }
  return { ok: false, reason: 'the image contains no readable QR code' }
}

function decode(
  { width, height, data }: GreyImage,
  milliseconds: number,
  end: number,
): string | undefined {
  try {
    const effort = milliseconds === 0 ? 1 : Infinity
    const scanner = new _QRScanner({ maxSize: { width, height }, effort, timeLimit: milliseconds })
    // The luma plane of I420 is greyscale; the rest of that format is not used.
    scanner.addImage({ width, height, data }, 'I420')
    const steps = (scanner as unknown as Stepwise).walk(true, false)
    for (let step = steps.next(0); ; step = steps.next(0)) {
      const [read] = step.done ? step.value : []
      if (step.done) return typeof read === 'string' ? read : undefined
      if (performance.now() > end + lastAttemptMilliseconds) return undefined
    }
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
    // Codes rotated by about 45 degrees are harder to find.
    adjusted((small) => turn(small, 22.5)),
    adjusted(sharpen),
    adjusted((small) => soften(small, 2)),
  ]
}

/**
 * The pixel formats of a frame, with the names of WebCodecs, `GREY` and `RGB`. For planar formats
 * (YUV 4:2:0), only the first plane is read; the others may be missing.
 */
export type FrameFormat =
  | 'GREY'
  | 'RGB'
  | 'RGBA'
  | 'RGBX'
  | 'BGRA'
  | 'BGRX'
  | 'I420'
  | 'NV12'
  | 'NV21'

/** A frame of a camera or a screen, for example an `ImageData` of a canvas. */
export interface CameraFrame {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
  /** Default: RGBA. */
  readonly format?: FrameFormat
  /** Bytes from one row to the next, if rows are padded. */
  readonly rowBytes?: number
}

interface Layout {
  readonly bytes: number
  readonly read: (data: CameraFrame['data'], at: number) => number
}

const first: Layout = { bytes: 1, read: (data, at) => data[at] ?? 255 }

function colours(bytes: number, red: number, green: number, blue: number, alpha?: number): Layout {
  return {
    bytes,
    read(data, at) {
      const grey = lumaOf(data[at + red] ?? 255, data[at + green] ?? 255, data[at + blue] ?? 255)
      return alpha === undefined ? grey : onWhite(grey, data[at + alpha] ?? 255)
    },
  }
}

const layouts: Readonly<Record<FrameFormat, Layout>> = {
  GREY: first,
  I420: first,
  NV12: first,
  NV21: first,
  RGB: colours(3, 0, 1, 2),
  RGBA: colours(4, 0, 1, 2, 3),
  RGBX: colours(4, 0, 1, 2),
  BGRA: colours(4, 2, 1, 0, 3),
  BGRX: colours(4, 2, 1, 0),
}

/**
 * Reads the QR code in a frame. The default time limit, 100 ms, suits a camera, which soon sends
 * the next frame; other sources may allow more. Returns a reason if the size is invalid or the
 * buffer is too small.
 */
export function readQrFrame(
  frame: CameraFrame,
  { timeLimitMilliseconds = 100 }: ReadQrOptions = {},
): ReadQrResult {
  const image = greyImageOf(frame)
  if (typeof image === 'string') return { ok: false, reason: image }
  return readQrCode(image, { timeLimitMilliseconds })
}

function greyImageOf(frame: CameraFrame): GreyImage | string {
  const { width, height, data, format = 'RGBA' } = frame
  const layout = Object.hasOwn(layouts, format) ? layouts[format] : undefined
  if (!layout) return `the frame format ${String(format)} is not supported`
  const pixels = width * height
  if (![width, height].every((side) => Number.isSafeInteger(side) && side > 0)) {
    return 'the frame has no size'
  }
  if (pixels > mostPixels) return `a frame of ${width} x ${height} pixels is too large`
  const { bytes, read } = layout
  const { rowBytes = width * bytes } = frame
  if (!Number.isSafeInteger(rowBytes) || rowBytes < width * bytes)
    return 'the rows of the frame are too short'
  if (data.length < (height - 1) * rowBytes + width * bytes) {
    return 'the buffer is too small for the frame'
  }
  const grey = new Uint8Array(pixels)
  for (let y = 0; y < height; y++) {
    const [row, target] = [y * rowBytes, y * width]
    for (let x = 0; x < width; x++) grey[target + x] = read(data, row + x * bytes)
  }
  return { width, height, data: grey }
}

/**
 * Reads the QR code in a PNG or JPEG file (detected by its first bytes): a code, a screenshot, or a
 * photograph in any orientation. Never throws because of the file's content.
 */
export function readQrImage(bytes: Uint8Array, options: ReadQrOptions = {}): ReadQrResult {
  const decoded = decodeImage(bytes)
  return decoded.ok ? readQrCode(decoded.image, options) : decoded
}

function decodeImage(bytes: Uint8Array): DecodeImageResult {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return decodePng(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return decodeJpeg(bytes)
  return { ok: false, reason: 'this is neither a PNG nor a JPEG image' }
}

/** Reads the QR code in a PNG image: only the code, or a screenshot of a page with a code. */
export function readQrPng(bytes: Uint8Array, options: ReadQrOptions = {}): ReadQrResult {
  const decoded = decodePng(bytes)
  return decoded.ok ? readQrCode(decoded.image, options) : decoded
}
