import { describe, expect, it } from 'vitest'
import { drawQr, mirrored, placed, toRgba } from '#test/support/draw-qr.ts'
import {
  type CameraFrame,
  type FrameFormat,
  readQrFrame,
} from '#wallet-emulator/qr/read-qr-frame.ts'

const text =
  'openid4vp://?request_uri=https%3A%2F%2Fverifier.example%2Frequests%2F8Jx2mQ0vT1yRk9wN5bLz'
const size = { width: 640, height: 480 }
const picture = placed(await drawQr(text, 5), size, { x: 200, y: 100 })
const pixels = size.width * size.height

/**
 * Dark blue on orange: one is 76 lighter than the other, and with red and blue exchanged both are
 * the same grey.
 */
const inColours = (...order: ('red' | 'green' | 'blue' | number)[]) =>
  Uint8Array.from({ length: pixels * order.length }, (_, index) => {
    const isDark = (picture.data[Math.floor(index / order.length)] ?? 0) < 128
    const colour = isDark ? { red: 0, green: 50, blue: 150 } : { red: 255, green: 78, blue: 0 }
    const channel = order[index % order.length] ?? 0
    return typeof channel === 'number' ? channel : colour[channel]
  })

const bytesOf: Readonly<Record<FrameFormat, () => Uint8Array>> = {
  GREY: () => picture.data,
  RGB: () => inColours('red', 'green', 'blue'),
  RGBA: () => inColours('red', 'green', 'blue', 255),
  RGBX: () => inColours('red', 'green', 'blue', 0),
  BGRA: () => inColours('blue', 'green', 'red', 255),
  BGRX: () => inColours('blue', 'green', 'red', 0),
  // Chroma planes behind the luma plane, with values of their own.
  I420: () => Buffer.concat([picture.data, Buffer.alloc(pixels / 2, 77)]),
  NV12: () => Buffer.concat([picture.data, Buffer.alloc(pixels / 2, 130)]),
  NV21: () => Buffer.concat([picture.data, Buffer.alloc(pixels / 2, 20)]),
}

describe('readQrFrame', () => {
  it.each(Object.keys(bytesOf) as FrameFormat[])('reads a frame of the format %s', (format) => {
    const frame = { ...size, data: bytesOf[format](), format }
    expect(readQrFrame(frame, { timeLimitMilliseconds: 1000 })).toEqual({ ok: true, text })
  })

  it('takes what a canvas gives as it is', () => {
    const imageData = { ...size, data: new Uint8ClampedArray(toRgba(picture)), colorSpace: 'srgb' }
    expect(readQrFrame(imageData)).toEqual({ ok: true, text })
  })

  it('shows what is transparent on white', () => {
    const data = Buffer.alloc(pixels * 4)
    for (const [index, grey] of picture.data.entries()) data[index * 4 + 3] = 255 - grey
    expect(readQrFrame({ ...size, data })).toEqual({ ok: true, text })
  })

  it('steps over the padding of rows', () => {
    const rowBytes = 704
    const data = Buffer.alloc(rowBytes * size.height)
    for (let y = 0; y < size.height; y++) {
      data.set(picture.data.subarray(y * size.width, (y + 1) * size.width), y * rowBytes)
    }
    expect(readQrFrame({ ...size, data, format: 'NV12', rowBytes })).toEqual({ ok: true, text })
    expect(readQrFrame({ ...size, data, format: 'NV12' }).ok).toBe(false)
  })

  it('reads what a front camera mirrors', () => {
    const { data } = mirrored(picture)
    const options = { timeLimitMilliseconds: 2000 }
    expect(readQrFrame({ ...size, data, format: 'GREY' }, options)).toEqual({ ok: true, text })
  })

  it.each<[string, Partial<Record<keyof CameraFrame, unknown>>]>([
    ['a buffer that is too small', { data: picture.data.subarray(1), format: 'GREY' }],
    ['no width', { width: 0 }],
    ['a width that is no number', { width: Number.NaN }],
    ['a height below nought', { height: -480 }],
    ['a size beyond all memory', { width: 2 ** 26, height: 2 ** 26 }],
    ['rows shorter than the frame', { rowBytes: 100 }],
    ['an unknown format', { format: 'YUYV' }],
    ['a format that objects have', { format: 'constructor' }],
  ])('gives a reason for %s', (_, members) => {
    const frame = { ...size, data: toRgba(picture), ...members } as CameraFrame
    expect(readQrFrame(frame)).toMatchObject({ ok: false, reason: expect.stringMatching(/\w/) })
  })
})
