import { deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { toBuffer } from 'qrcode'
import { describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import {
  buildPng,
  drawQr,
  encodeIndexedPng,
  mirrored,
  placed,
  toJpeg,
  toPng,
  toRgba,
} from '#test/support/images.ts'
import { workOf } from '#test/support/timing.ts'
import { readLink } from '#wallet-emulator/link/read-link.ts'
import { decodePng } from '#wallet-emulator/qr/decode-png.ts'
import {
  type CameraFrame,
  type FrameFormat,
  readQrFrame,
  readQrImage,
  readQrPng,
} from '#wallet-emulator/qr/read-qr-code.ts'

const request =
  'openid4vp://?request_uri=https%3A%2F%2Fverifier.example%2Frequests%2F8Jx2mQ0vT1yRk9wN5bLz'
// However busy this machine is.
const patient = { timeLimitMilliseconds: 60_000 }
const size = { width: 640, height: 480 }
const picture = placed(await drawQr(request, 5), size, { x: 200, y: 100 })
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
  // Chroma planes behind the luma plane, with separate values.
  I420: () => Buffer.concat([picture.data, Buffer.alloc(pixels / 2, 77)]),
  NV12: () => Buffer.concat([picture.data, Buffer.alloc(pixels / 2, 130)]),
  NV21: () => Buffer.concat([picture.data, Buffer.alloc(pixels / 2, 20)]),
}

describe('readQrFrame', () => {
  it.each(Object.keys(bytesOf) as FrameFormat[])('reads a frame of the format %s', (format) => {
    const frame = { ...size, data: bytesOf[format](), format }
    expect(readQrFrame(frame, patient)).toEqual({ ok: true, text: request })
  })

  it('accepts the image data of a canvas unchanged', () => {
    const imageData = { ...size, data: new Uint8ClampedArray(toRgba(picture)), colorSpace: 'srgb' }
    expect(readQrFrame(imageData)).toEqual({ ok: true, text: request })
  })

  it('shows transparent pixels as white', () => {
    const data = Buffer.alloc(pixels * 4)
    for (const [index, grey] of picture.data.entries()) data[index * 4 + 3] = 255 - grey
    expect(readQrFrame({ ...size, data })).toEqual({ ok: true, text: request })
  })

  it('skips the padding of rows', () => {
    const rowBytes = 704
    const data = Buffer.alloc(rowBytes * size.height)
    for (let y = 0; y < size.height; y++) {
      data.set(picture.data.subarray(y * size.width, (y + 1) * size.width), y * rowBytes)
    }
    expect(readQrFrame({ ...size, data, format: 'NV12', rowBytes })).toEqual({
      ok: true,
      text: request,
    })
    expect(readQrFrame({ ...size, data, format: 'NV12' }).ok).toBe(false)
  })

  it('reads a code mirrored by a front camera', () => {
    const { data } = mirrored(picture)
    expect(readQrFrame({ ...size, data, format: 'GREY' }, patient)).toEqual({
      ok: true,
      text: request,
    })
  })

  it.each<[string, Partial<Record<keyof CameraFrame, unknown>>]>([
    ['a buffer that is too small', { data: picture.data.subarray(1), format: 'GREY' }],
    ['no width', { width: 0 }],
    ['a width that is not a number', { width: Number.NaN }],
    ['a negative height', { height: -480 }],
    ['a size beyond the memory limit', { width: 2 ** 26, height: 2 ** 26 }],
    ['rows shorter than the frame', { rowBytes: 100 }],
    ['an unknown format', { format: 'YUYV' }],
    ['the name of an object member as format', { format: 'constructor' }],
  ])('returns a reason for %s', (_, members) => {
    const frame = { ...size, data: toRgba(picture), ...members } as CameraFrame
    expect(readQrFrame(frame)).toMatchObject({ ok: false, reason: expect.stringMatching(/\w/) })
  })
})

const offer = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(
  'http://127.0.0.1:4003/credential-offer/8Jx2mQ0vT1yRk9wN5bLzHc7aEoUfDs3gPiXqWtVjYnM',
)}`

/** Puts an image into a larger white page with some extra noise, as in a screenshot. */
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

it('readQrImage reads PNG and JPEG by their first bytes', async () => {
  const code = await drawQr(offer)
  for (const image of [toPng(code), toJpeg(code)]) {
    expect(readQrImage(image, patient)).toEqual({ ok: true, text: offer })
  }
})

describe('readQrPng', () => {
  it.each([1, 2, 3, 4, 10])(
    'reads codes from a third-party generator with %i pixels per module',
    async (scale) => {
      const png = await toBuffer(offer, { scale })
      expect(readQrPng(png)).toEqual({ ok: true, text: offer })
    },
  )

  it.each(['L', 'M', 'Q', 'H'] as const)('reads error correction level %s', async (level) => {
    const png = await toBuffer(offer, { errorCorrectionLevel: level })
    expect(readQrPng(png)).toEqual({ ok: true, text: offer })
  })

  it('reads a code without its quiet zone', async () => {
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

  it('reads a code that is part of a page', async () => {
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

  it('reads long offers by value from our generator', () => {
    const text = `openid-credential-offer://?credential_offer=${'%7B%22a%22'.repeat(150)}`
    expect(readQrPng(createQrPng(text))).toEqual({ ok: true, text })
  })

  it('reads text beyond ASCII', async () => {
    const text = 'openid4vp://?client_name=Oficina de Administración ✓'
    expect(readQrPng(await toBuffer(text))).toEqual({ ok: true, text })
  })

  it('reports an image without a code', () => {
    const empty = new PNG({ width: 200, height: 100 })
    empty.data.fill(255)
    expect(readQrPng(PNG.sync.write(empty)).ok).toBe(false)
  })

  it('rejects input that is not an image without throwing', async () => {
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

  it('rejects an image that would exceed the memory limit, before it is decompressed', () => {
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

/** Grey on white of what pngjs, the foreign decoder, makes of the same bytes. */
function greyOf(png: Buffer): { width: number; height: number; data: number[] } {
  const { width, height, data } = PNG.sync.read(png)
  const pixels = Array.from({ length: width * height }, (_, i) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(i * 4, i * 4 + 4)
    const grey = (red * 77 + green * 150 + blue * 29) >> 8
    return Math.round((grey * alpha + 255 * (255 - alpha)) / 255)
  })
  return { width, height, data: pixels }
}

function decoded(png: Uint8Array) {
  const result = decodePng(png)
  if (!result.ok) throw new Error(result.reason)
  return { ...result.image, data: [...result.image.data] }
}

/** A picture with a bit of everything, so that each row filter is worth using. */
function colourful(width: number, height: number): PNG {
  const png = new PNG({ width, height })
  for (let i = 0; i < width * height; i++) {
    const x = i % width
    const y = Math.floor(i / width)
    png.data.set([(x * 7) & 255, (y * 11) & 255, (x * y) & 255, (x + y) & 1 ? 255 : 130], i * 4)
  }
  return png
}

describe('decodePng', () => {
  it.each([0, 1, 2, 3, 4])('reverses row filter %i as pngjs does', (filterType) => {
    const png = PNG.sync.write(colourful(37, 29), { filterType })
    expect(decoded(png)).toEqual(greyOf(png))
  })

  it.each([
    { colorType: 0, bitDepth: 8 },
    { colorType: 2, bitDepth: 8 },
    { colorType: 6, bitDepth: 8 },
  ] as const)('reads colour type $colorType as pngjs does', (options) => {
    const png = PNG.sync.write(colourful(40, 23), options)
    expect(decoded(png)).toEqual(greyOf(png))
  })

  it.each([1, 2, 4, 8] as const)('reads a palette of %i bits, plain and interlaced', (bitDepth) => {
    for (const interlaced of [false, true]) {
      for (const [width, height] of [
        [1, 1],
        [5, 3],
        [33, 18],
      ] as const) {
        const png = encodeIndexedPng({ width, height, bitDepth, interlaced })
        expect(decoded(png)).toEqual(greyOf(png))
      }
    }
  })

  it('rejects data whose length does not match the size', () => {
    const png = encodeIndexedPng({ width: 8, height: 8, bitDepth: 8, interlaced: false, rows: 7 })
    expect(decodePng(png).ok).toBe(false)
    const more = encodeIndexedPng({ width: 8, height: 8, bitDepth: 8, interlaced: false, rows: 9 })
    expect(decodePng(more).ok).toBe(false)
  })

  it.each([
    [16, 6, 9],
    [16, 2, 7],
    [8, 6, 5],
    [8, 2, 4],
    [16, 4, 5],
  ])(
    'accepts at most 128 MiB at a depth of %i bits and colour type %i',
    (bitDepth, type, bytes) => {
      const width = 8192
      const reasonFor = (height: number) => {
        const header = Buffer.alloc(13)
        header.writeUInt32BE(width, 0)
        header.writeUInt32BE(height, 4)
        header.set([bitDepth, type], 8)
        const decoded = decodePng(buildPng([['IHDR', header]]))
        return decoded.ok ? '' : decoded.reason
      }
      const most = Math.floor((128 * 1024 * 1024) / bytes / width)
      // Only the one that may be read gets as far as its missing data.
      expect(reasonFor(most)).toMatch(/decompressed/)
      expect(reasonFor(most + 1)).toMatch(/too large/)
    },
  )

  it.each([
    ['a bit depth that the colour type does not have', [3, 2, 0, 0, 0]],
    ['an unknown colour type', [8, 5, 0, 0, 0]],
    ['an unknown compression', [8, 0, 1, 0, 0]],
    ['an unknown interlacing', [8, 0, 0, 0, 2]],
  ])('rejects %s', (_, last) => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(1, 0)
    header.writeUInt32BE(1, 4)
    header.set(last, 8)
    expect(decodePng(buildPng([['IHDR', header]])).ok).toBe(false)
  })
})

describe('readLink', async () => {
  const offer =
    'openid-credential-offer://?credential_offer_uri=https%3A%2F%2Fissuer.example%2Foffers%2F7'
  const request = 'openid4vp://?request_uri=https%3A%2F%2Fverifier.example%2Frequests%2F9'

  const poster = toPng(await drawQr('https://museum.example/room/7'))

  it.each([
    ['only the link', offer, 'offer', offer],
    ['spaces around it, from a clipboard', `\n  ${request}\t\r\n`, 'request', request],
    ['a sentence', `Your offer (${offer}). It is valid for five minutes.`, 'offer', offer],
    ['quotes', `Open "${request}", please`, 'request', request],
    ['an email in angle brackets', `Dear Ana,\n\n<${offer}>\n\nBest`, 'offer', offer],
    [
      'an email in HTML',
      `<p>Hello</p><a href="openid4vp://?client_id=a&amp;request_uri=https%3A%2F%2Fb">Open</a>`,
      'request',
      'openid4vp://?client_id=a&request_uri=https%3A%2F%2Fb',
    ],
    [
      'other links before it',
      `See https://issuer.example/help?topic=credential_offer and then ${offer}`,
      'offer',
      offer,
    ],
    [
      'a web link of a wallet that carries an offer',
      'https://wallet.example/open?credential_offer=%7B%7D',
      'offer',
      'https://wallet.example/open?credential_offer=%7B%7D',
    ],
    [
      'a web link that carries a request',
      'Log in: https://wallet.example/present?client_id=x&request_uri=https%3A%2F%2Fv.',
      'request',
      'https://wallet.example/present?client_id=x&request_uri=https%3A%2F%2Fv',
    ],
    [
      'JSON that is not encoded',
      'openid-credential-offer://?credential_offer={"credential_issuer": "https://a"}',
      'offer',
      'openid-credential-offer://?credential_offer={"credential_issuer": "https://a"}',
    ],
    [
      'a web link with such JSON',
      'https://wallet.example/?credential_offer={"a":{}}',
      'offer',
      'https://wallet.example/?credential_offer={"a":{}}',
    ],
    ['capitals', 'OPENID4VP://?request_uri=a', 'request', 'OPENID4VP://?request_uri=a'],
  ])('finds the link in %s', (_, text, kind, link) => {
    expect(readLink(text)).toEqual({ ok: true, kind, link })
  })

  it('reads it from images and frames', async () => {
    const picture = await drawQr(offer)
    const expected = { ok: true, kind: 'offer', link: offer }
    expect(readLink(toPng(picture))).toEqual(expected)
    expect(readLink(toJpeg(picture))).toEqual(expected)
    expect(readLink({ ...picture, format: 'GREY' })).toEqual(expected)
  })

  it.each([
    ['nothing', ''],
    ['no link', 'Good morning'],
    ['a web link of another kind', 'https://issuer.example/?a=credential_offer'],
    ['the name of an object member', 'https://issuer.example/?constructor=1&__proto__=2'],
    ['a scheme that hides another', 'javascript:alert(1)//openid4vc'],
    ['a code on a poster', poster],
    ['bytes that are not an image', new Uint8Array([1, 2, 3])],
  ])('reports that there is no link in %s', (_, source) => {
    expect(readLink(source)).toMatchObject({ ok: false, reason: expect.stringMatching(/\w/) })
  })

  it('takes time linear in the length of the input', async () => {
    const work = await workOf(() => {
      expect(readLink(`${'https:'.repeat(100_000)} ${'.'.repeat(300_000)}`).ok).toBe(false)
      expect(readLink(`openid4vp:${'.'.repeat(500_000)}x`).ok).toBe(true)
    })
    expect(work).toBeLessThan(10_000)
  })
})
