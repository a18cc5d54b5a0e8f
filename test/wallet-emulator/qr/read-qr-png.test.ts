import { deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { toBuffer } from 'qrcode'
import { describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { buildPng } from '#test/support/build-png.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-png.ts'

const offer = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(
  'http://127.0.0.1:4003/credential-offer/8Jx2mQ0vT1yRk9wN5bLzHc7aEoUfDs3gPiXqWtVjYnM',
)}`

/** Puts an image into a larger white page with some noise of its own, as a screenshot would. */
function onPage(
  image: PNG,
  { width, height, x, y }: Record<'width' | 'height' | 'x' | 'y', number>,
) {
  const page = new PNG({ width, height })
  page.data.fill(255)
  for (let i = 0; i < width * 12; i++) page.data.set([90, 120, 200], i * 4)
  PNG.bitblt(image, page, 0, 0, image.width, image.height, x, y)
  return PNG.sync.write(page)
}

describe('readQrPng', () => {
  it.each([1, 2, 3, 4, 10])(
    'reads what a foreign maker draws with %i pixels a module',
    async (scale) => {
      const png = await toBuffer(offer, { scale })
      expect(readQrPng(png)).toEqual({ ok: true, text: offer })
    },
  )

  it.each(['L', 'M', 'Q', 'H'] as const)('reads error correction level %s', async (level) => {
    const png = await toBuffer(offer, { errorCorrectionLevel: level })
    expect(readQrPng(png)).toEqual({ ok: true, text: offer })
  })

  it('reads a code that was cut out without its quiet zone', async () => {
    for (const scale of [1, 3, 8]) {
      const png = await toBuffer(offer, { scale, margin: 0 })
      expect(readQrPng(png)).toEqual({ ok: true, text: offer })
    }
  })

  it('reads light on dark', async () => {
    const png = await toBuffer(offer, { color: { dark: '#ffffff', light: '#102040' } })
    expect(readQrPng(png)).toEqual({ ok: true, text: offer })
  })

  it('reads dark modules on a transparent background', async () => {
    const png = await toBuffer(offer, { color: { dark: '#000000ff', light: '#ffffff00' } })
    expect(readQrPng(png)).toEqual({ ok: true, text: offer })
  })

  it('reads a code that is only a part of a page', async () => {
    const code = PNG.sync.read(await toBuffer(offer, { scale: 3 }))
    for (const [x, y] of [
      [20, 30],
      [900, 400],
      [511, 333],
    ] as const) {
      const png = onPage(code, { width: 1280, height: 800, x, y })
      expect(readQrPng(png)).toEqual({ ok: true, text: offer })
    }
  })

  it('reads long offers by value, made here', () => {
    const text = `openid-credential-offer://?credential_offer=${'%7B%22a%22'.repeat(150)}`
    expect(readQrPng(createQrPng(text))).toEqual({ ok: true, text })
  })

  it('reads text beyond ASCII', async () => {
    const text = 'openid4vp://?client_name=Oficina de Administración ✓'
    expect(readQrPng(await toBuffer(text))).toEqual({ ok: true, text })
  })

  it('says so where there is no code', () => {
    const empty = new PNG({ width: 200, height: 100 })
    empty.data.fill(255)
    expect(readQrPng(PNG.sync.write(empty)).ok).toBe(false)
  })

  it('refuses what is no image, without throwing', async () => {
    const png = await toBuffer(offer)
    const damaged = Buffer.from(png)
    damaged.writeUInt8(damaged.readUInt8(60) ^ 1, 60)
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('GIF89a'),
      png.subarray(0, 40),
      png.subarray(0, png.length - 20),
      damaged,
    ]) {
      expect(readQrPng(bytes).ok).toBe(false)
    }
  })

  it('refuses an image whose size would take the memory, before inflating it', () => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(60_000, 0)
    header.writeUInt32BE(60_000, 4)
    header.set([8, 0, 0, 0, 0], 8)
    const bomb = buildPng([
      ['IHDR', header],
      ['IDAT', deflateSync(Buffer.alloc(1_000_000))],
    ])
    expect(readQrPng(bomb)).toMatchObject({ ok: false, reason: expect.stringContaining('60000') })
  })
})
