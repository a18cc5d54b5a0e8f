import { crc32, deflateSync } from 'node:zlib'
import jpeg from 'jpeg-js'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { toBuffer } from 'qrcode'

/** Frames chunks as a PNG file, ended by IEND. */
export function buildPng(chunks: readonly (readonly [type: string, body: Uint8Array])[]): Buffer {
  const framed = [...chunks, ['IEND', Buffer.alloc(0)] as const].map(([type, body]) => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(crc32(typed))
    return Buffer.concat([length, typed, checksum])
  })
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...framed])
}

export interface IndexedPngOptions {
  width: number
  height: number
  bitDepth: 1 | 2 | 4 | 8
  interlaced: boolean
  /** Rows in the image data, if they differ from the height. */
  rows?: number
}

const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** A palette PNG, which the available libraries cannot write: colours with alpha, one index a pixel. */
export function encodeIndexedPng({
  width,
  height,
  bitDepth,
  interlaced,
  rows = height,
}: IndexedPngOptions): Buffer {
  const colours = 1 << bitDepth
  const palette = Buffer.alloc(colours * 3)
  const alpha = Buffer.alloc(colours)
  for (let i = 0; i < colours; i++) {
    palette.set([(i * 37) & 255, (i * 91 + 20) & 255, (255 - i * 13) & 255], i * 3)
    alpha[i] = i % 3 === 0 ? 128 : 255
  }
  const passes = interlaced ? adam7 : ([[0, 0, 1, 1]] as const)
  const bytes: number[] = []
  for (const [x0, y0, stepX, stepY] of passes) {
    for (let y = y0; y < rows; y += stepY) {
      let row = ''
      for (let x = x0; x < width; x += stepX) {
        row += ((x * 5 + y * 3) % colours).toString(2).padStart(bitDepth, '0')
      }
      if (row === '') continue
      bytes.push(0)
      for (let i = 0; i < row.length; i += 8) {
        bytes.push(Number.parseInt(row.slice(i, i + 8).padEnd(8, '0'), 2))
      }
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bitDepth, 3, 0, 0, interlaced ? 1 : 0], 8)
  return buildPng([
    ['IHDR', header],
    ['PLTE', palette],
    ['tRNS', alpha],
    ['IDAT', deflateSync(Uint8Array.from(bytes))],
  ])
}

/** A greyscale picture of a code, drawn by third-party libraries and distorted as cameras do. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Draws a string with `qrcode`. */
export async function drawQr(text: string, scale = 6): Promise<Picture> {
  const { width, height, data } = PNG.sync.read(await toBuffer(text, { scale }))
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height }, (_, i) => data[i * 4] ?? 0),
  }
}

/** Maps each pixel of a picture of the given size by the function; white outside. */
export function remap(
  picture: Picture,
  { width, height }: { readonly width: number; readonly height: number },
  from: (x: number, y: number) => readonly [number, number],
): Picture {
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [atX, atY] = from(x, y).map(Math.round) as [number, number]
      const isInside = atX >= 0 && atY >= 0 && atX < picture.width && atY < picture.height
      data[y * width + x] = isInside ? (picture.data[atY * picture.width + atX] ?? 255) : 255
    }
  }
  return { width, height, data }
}

export function mirrored(picture: Picture): Picture {
  return remap(picture, picture, (x, y) => [picture.width - 1 - x, y])
}

export function turned(picture: Picture, degrees: number): Picture {
  const side = Math.ceil(Math.hypot(picture.width, picture.height)) + 20
  const [cosine, sine] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  return remap(picture, { width: side, height: side }, (x, y) => {
    const [right, down] = [x - side / 2, y - side / 2]
    return [
      cosine * right + sine * down + picture.width / 2,
      cosine * down - sine * right + picture.height / 2,
    ]
  })
}

/** As seen by a camera from above or below. */
export function tilted(picture: Picture, amount: number): Picture {
  const size = { width: picture.width + 60, height: picture.height + 60 }
  return remap(picture, size, (x, y) => {
    const depth = 1 + (amount * (y - size.height / 2)) / picture.height
    return [
      (x - size.width / 2) / depth + picture.width / 2,
      (y - size.height / 2) / depth + picture.height / 2,
    ]
  })
}

export function changed(
  picture: Picture,
  change: (grey: number, index: number) => number,
): Picture {
  const clamp = (grey: number) => Math.max(0, Math.min(255, Math.round(grey)))
  return { ...picture, data: picture.data.map((grey, index) => clamp(change(grey, index))) }
}

/** Grain, the same at each call. */
export function grainy(picture: Picture, amount: number): Picture {
  let state = 1
  const next = () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return state / 0x7fffffff - 0.5
  }
  return changed(picture, (grey) => grey + next() * 2 * amount)
}

/** Out of focus: each pixel the mean of those around it. */
export function blurred(picture: Picture, radius: number): Picture {
  const { width, height } = picture
  return changed(picture, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)]
    let sum = 0
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        const isInside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height
        sum += isInside ? (picture.data[index + dy * width + dx] ?? 255) : 255
      }
    }
    return sum / (2 * radius + 1) ** 2
  })
}

/** Places a picture on a larger one of uniform grey. */
export function placed(
  picture: Picture,
  size: { readonly width: number; readonly height: number },
  at: { readonly x: number; readonly y: number },
  background = 255,
): Picture {
  const data = new Uint8Array(size.width * size.height).fill(background)
  for (let row = 0; row < picture.height; row++) {
    const pixels = picture.data.subarray(row * picture.width, (row + 1) * picture.width)
    data.set(pixels, (at.y + row) * size.width + at.x)
  }
  return { ...size, data }
}

/** Four bytes a pixel, opaque. */
export function toRgba({ data }: Picture): Buffer {
  const rgba = Buffer.alloc(data.length * 4, 255)
  for (const [index, grey] of data.entries()) rgba.fill(grey, index * 4, index * 4 + 3)
  return rgba
}

export function toPng(picture: Picture): Buffer {
  const png = new PNG({ width: picture.width, height: picture.height })
  toRgba(picture).copy(png.data)
  return PNG.sync.write(png)
}

export function toJpeg(picture: Picture, quality = 80): Buffer {
  const { width, height } = picture
  return jpeg.encode({ width, height, data: toRgba(picture) }, quality).data
}

type Decode = (
  data: Uint8ClampedArray,
  width: number,
  height: number,
) => { readonly data: string } | null

// jsqr is CommonJS: under Node its function is the module, or the module's default.
const decode = ('default' in jsqr ? jsqr.default : jsqr) as unknown as Decode

/** Reads the QR code in RGBA pixels with jsqr; empty if there is none. */
export function readQrPixels(pixels: Uint8ClampedArray, width: number, height: number): string {
  return decode(pixels, width, height)?.data ?? ''
}

/** Reads the QR code in a PNG with pngjs and jsqr; empty if there is none. */
export function readQrPng(png: ArrayBuffer | Uint8Array): string {
  const { data, width, height } = PNG.sync.read(Buffer.from(png as Uint8Array))
  return readQrPixels(new Uint8ClampedArray(data), width, height)
}
