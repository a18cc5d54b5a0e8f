import { describe, expect, it } from 'vitest'
import { drawQrBlocks } from '#core/qr/qr-code.ts'
import { readQrPixels } from '#test/support/read-qr-png.ts'

const light = { ' ': [0, 0], '▄': [0, 1], '▀': [1, 0], '█': [1, 1] } as const

/** The drawing as a camera sees it, 4 pixels a module; the foreign reader takes RGBA. */
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
  ])('draws what a foreign reader reads, on a dark and on a light terminal: %.30s', (text) => {
    const lines = drawQrBlocks(text)
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
    expect(read(lines, false)).toBe(text)
    expect(read(lines, true)).toBe(text)
  })

  it('refuses what no QR code can hold', () => {
    expect(() => drawQrBlocks('x'.repeat(2954))).toThrow(RangeError)
  })
})
