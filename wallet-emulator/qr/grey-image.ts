/** A greyscale image, one byte per pixel, row by row from the top left. */
export interface GreyImage {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** The maximum pixels for a QR code reader, which makes several copies of them. */
export const mostPixels = 40_000_000

/** The maximum memory for decoding an image: an 8K screenshot needs 127 MiB. */
export const mostDecodedBytes = 128 * 1024 * 1024

/** The result of an image decoder, which never throws because of the input. */
export type DecodeImageResult =
  | { readonly ok: true; readonly image: GreyImage }
  | { readonly ok: false; readonly reason: string }

/** How light a colour is, 0 to 255 (ITU-R BT.601 in integers). */
export function lumaOf(red: number, green: number, blue: number): number {
  return (red * 77 + green * 150 + blue * 29) >> 8
}

/** Blends a grey value with white by its alpha. */
export function onWhite(grey: number, alpha: number): number {
  return alpha === 255 ? grey : Math.round((grey * alpha + 255 * (255 - alpha)) / 255)
}

/** Mirrors the image, as front cameras do. */
export function mirror({ width, height, data }: GreyImage): GreyImage {
  const mirrored = Uint8Array.from(data)
  for (let y = 0; y < height; y++) mirrored.subarray(y * width, (y + 1) * width).reverse()
  return { width, height, data: mirrored }
}

/** Halves the size; each pixel is the mean of four. Reduces noise. */
export function halve({ width, height, data }: GreyImage): GreyImage {
  const half = { width: width >> 1, height: height >> 1 }
  const halved = new Uint8Array(half.width * half.height)
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const at = 2 * (y * width + x)
      const sum = px(data, at) + px(data, at + 1) + px(data, at + width) + px(data, at + width + 1)
      halved[y * half.width + x] = sum >> 2
    }
  }
  return { ...half, data: halved }
}

/** Stretches the contrast to black and white, for faded codes. */
export function stretchContrast({ width, height, data }: GreyImage): GreyImage {
  let darkest = 255
  let lightest = 0
  for (const grey of data) {
    if (grey < darkest) darkest = grey
    if (grey > lightest) lightest = grey
  }
  const factor = 255 / Math.max(1, lightest - darkest)
  return { width, height, data: data.map((grey) => Math.round((grey - darkest) * factor)) }
}

/**
 * Replaces each pixel by the mean of the pixels within `radius`. Reduces noise and keeps the size.
 */
export function soften({ width, height, data }: GreyImage, radius: number): GreyImage {
  const rows = new Uint8Array(data.length)
  for (let y = 0; y < height; y++)
    meanAlong(data, rows, { start: y * width, step: 1, length: width, radius })
  const columns = new Uint8Array(data.length)
  for (let x = 0; x < width; x++)
    meanAlong(rows, columns, { start: x, step: width, length: height, radius })
  return { width, height, data: columns }
}

/** Sharpens edges, to reduce blur. */
export function sharpen(image: GreyImage): GreyImage {
  const soft = soften(image, 2).data
  const data = new Uint8ClampedArray(image.data.length)
  for (let at = 0; at < data.length; at++) data[at] = 3 * px(image.data, at) - 2 * px(soft, at)
  return { ...image, data: new Uint8Array(data.buffer) }
}

/** Rotates the image around its centre, on white. Not for multiples of 90 degrees. */
export function turn({ width, height, data }: GreyImage, degrees: number): GreyImage {
  const cosine = Math.cos((degrees * Math.PI) / 180)
  const sine = Math.sin((degrees * Math.PI) / 180)
  const side = Math.ceil(Math.hypot(width, height))
  const turned = new Uint8Array(side * side).fill(255)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const [right, down] = [x - side / 2, y - side / 2]
      const fromX = cosine * right + sine * down + width / 2
      const fromY = cosine * down - sine * right + height / 2
      if (fromX < 0 || fromY < 0 || fromX >= width - 1 || fromY >= height - 1) continue
      turned[y * side + x] = between(data, width, fromX, fromY)
    }
  }
  return { width: side, height: side, data: turned }
}

/** Interpolates the grey at a point between four pixels. */
function between(data: Uint8Array, width: number, x: number, y: number): number {
  const at = Math.floor(y) * width + Math.floor(x)
  const [right, down] = [x - Math.floor(x), y - Math.floor(y)]
  const above = px(data, at) * (1 - right) + px(data, at + 1) * right
  const below = px(data, at + width) * (1 - right) + px(data, at + width + 1) * right
  return Math.round(above * (1 - down) + below * down)
}

interface Line {
  readonly start: number
  readonly step: number
  readonly length: number
  readonly radius: number
}

/** Computes a sliding mean; the first and last values extend beyond the ends of a line. */
function meanAlong(from: Uint8Array, to: Uint8Array, { start, step, length, radius }: Line): void {
  const greyAt = (index: number) =>
    px(from, start + Math.min(length - 1, Math.max(0, index)) * step)
  let sum = 0
  for (let index = -radius; index <= radius; index++) sum += greyAt(index)
  for (let index = 0; index < length; index++) {
    to[start + index * step] = Math.round(sum / (2 * radius + 1))
    sum += greyAt(index + radius + 1) - greyAt(index - radius)
  }
}

const px = (data: Uint8Array, at: number) => data[at] ?? 255

export interface ResizeGreyImageOptions {
  /** The scale factor in both directions. */
  readonly scale: number
  /** The width of the white margin, in pixels. */
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
