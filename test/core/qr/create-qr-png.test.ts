import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { readQrPng } from '#test/support/read-qr-png.ts'

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

  it('refuses what no QR code holds', () => {
    expect(() => createQrPng('x'.repeat(2954))).toThrow(RangeError)
  })
})
