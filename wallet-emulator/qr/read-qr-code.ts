import { decodeQR } from 'qr/decode.js'
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
function readQrCode(
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

/**
 * How the pixels of a frame lie in its buffer, by the names of WebCodecs, and `GREY` and `RGB`. Of
 * the planar ones (YUV 4:2:0) only the first plane is read, so that what comes after it may be missing.
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

/** A frame of a camera or of a screen; an `ImageData` of a canvas is one. */
export interface CameraFrame {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
  /** By default RGBA. */
  readonly format?: FrameFormat
  /** Bytes from one row to the next, where rows are padded. */
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
 * Reads the QR code on one frame. The default time limit, 100 ms, is for a camera that brings the
 * next frame anyway; a frame from elsewhere may get more. A buffer that is too small for its size, or
 * a size that is none, gives a reason.
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
  if (!layout) return `frames of the format ${String(format)} are not read`
  const pixels = width * height
  if (![width, height].every((side) => Number.isSafeInteger(side) && side > 0)) {
    return 'the frame has no size'
  }
  if (pixels > mostPixels) return `a frame of ${width} x ${height} pixels is not read`
  const { bytes, read } = layout
  const { rowBytes = width * bytes } = frame
  if (!Number.isSafeInteger(rowBytes) || rowBytes < width * bytes) return 'its rows are too short'
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
 * Reads the QR code on an image file, PNG or JPEG by its first bytes: a code, a screenshot, or a
 * photograph, whichever way up it was taken. It never throws for what the bytes hold.
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

/** Reads the QR code on a PNG image: the code alone, or a screenshot of a page with one on it. */
export function readQrPng(bytes: Uint8Array, options: ReadQrOptions = {}): ReadQrResult {
  const decoded = decodePng(bytes)
  return decoded.ok ? readQrCode(decoded.image, options) : decoded
}
