import { type GreyImage, lumaOf, mostPixels, onWhite } from './grey-image.ts'
import { type ReadQrOptions, type ReadQrResult, readQrCode } from './read-qr-code.ts'

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
