import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { createQrPng, drawQrBlocks } from '#core/qr/qr-code.ts'
import { readQrPixels, readQrPng } from '#test/support/images.ts'

describe('createQrPng', () => {
  it.each([
    ['a short link', 'openid4vp://?request_uri=http%3A%2F%2F127.0.0.1%3A4000%2Fr%2F1'],
    ['a long offer', `openid-credential-offer://?credential_offer=${'%7B'.repeat(200)}`],
    ['other letters', 'Identificación: señal ✓'],
    ['a very long text', 'x'.repeat(2500)],
  ])('pngjs and jsqr read back %s', (_, text) => {
    expect(readQrPng(createQrPng(text, { scale: 4 }))).toBe(text)
  })

  it('is a one-bit PNG with four modules of quiet zone', () => {
    const png = createQrPng('hello', { scale: 3 })
    expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
    expect(png[24]).toBe(1)
    // Version 1 has 21 modules.
    expect(png.readUInt32BE(16)).toBe((21 + 8) * 3)
    const { data, width } = PNG.sync.read(png)
    const isWhite = (x: number, y: number) => data[(y * width + x) * 4] === 255
    expect(isWhite(11, 40)).toBe(true)
    expect(isWhite(12, 12)).toBe(false)
  })

  it('rejects text that does not fit in a QR code', () => {
    expect(() => createQrPng('x'.repeat(2954))).toThrow(RangeError)
  })
})

const light = { ' ': [0, 0], '▄': [0, 1], '▀': [1, 0], '█': [1, 1] } as const

/** The drawing as a camera sees it, 4 pixels a module. The third-party reader requires RGBA. */
function read(lines: readonly string[], invert: boolean): string {
  const scale = 4
  const width = (lines[0]?.length ?? 0) * scale
  const height = lines.length * 2 * scale
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const character = lines[Math.floor(y / scale / 2)]?.[Math.floor(x / scale)] ?? ' '
      const isLight = light[character as keyof typeof light][Math.floor(y / scale) % 2] === 1
      pixels.fill(isLight === invert ? 0 : 255, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return readQrPixels(pixels, width, height)
}

describe('drawQrBlocks', () => {
  it.each([
    'openid4vp://?client_id=did%3Aorg%3Auc-pre%3Az1&request_uri=http%3A%2F%2F127.0.0.1%3A4006%2Frequest%2F1',
    'short',
    `openid-credential-offer://?credential_offer=${'x'.repeat(900)}`,
  ])('draws a code that a third-party reader reads, on dark and light terminals: %.30s', (text) => {
    const lines = drawQrBlocks(text)
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
    expect(read(lines, false)).toBe(text)
    expect(read(lines, true)).toBe(text)
  })

  it('rejects input that does not fit in a QR code', () => {
    expect(() => drawQrBlocks('x'.repeat(2954))).toThrow(RangeError)
  })
})
