import { describe, expect, it } from 'vitest'
import {
  blurred,
  changed,
  drawQr,
  grainy,
  mirrored,
  type Picture,
  placed,
  remap,
  tilted,
  toJpeg,
  toPng,
  turned,
} from '#test/support/images.ts'
import { workOf } from '#test/support/timing.ts'
import { readQrFrame, readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'

const text = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(
  'https://issuer.example/credential-offer/8Jx2mQ0vT1yRk9wN5bLzHc7aEoUfDs3gPiXqWtVjYnM',
)}`
const found = { ok: true, text }
// However busy this machine is.
const patient = { timeLimitMilliseconds: 60_000 }
const code = await drawQr(text)
const large = await drawQr(text, 8)
const small = await drawQr(text, 3)

/** An APP1 segment with just the orientation, as cameras write it (EXIF 2.32, tag 0x0112). */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}

describe('readQrImage', () => {
  it.each([5, 10, 30, 60, 95])('reads a JPEG of quality %i', (quality) => {
    expect(readQrImage(toJpeg(code, quality), patient)).toEqual(found)
  })

  const quarter = (picture: Picture) =>
    remap(picture, { width: picture.height, height: picture.width }, (x, y) => [
      y,
      picture.height - 1 - x,
    ])
  // What the sensor recorded, for each orientation that a viewer would undo.
  it.each([
    [1, code],
    [2, mirrored(code)],
    [3, quarter(quarter(code))],
    [4, mirrored(quarter(quarter(code)))],
    [5, mirrored(quarter(code))],
    [6, quarter(quarter(quarter(code)))],
    [7, mirrored(quarter(quarter(quarter(code))))],
    [8, quarter(code)],
  ] as const)('reads a photograph of EXIF orientation %i', (orientation, picture) => {
    const onDesk = placed(picture, { width: 500, height: 450 }, { x: 110, y: 90 }, 150)
    expect(readQrImage(withOrientation(toJpeg(onDesk), orientation), patient)).toEqual(found)
  })

  it.each<[string, Picture]>([
    ['light on dark', changed(code, (grey) => 255 - grey)],
    ['light on dark, mirrored', mirrored(changed(code, (grey) => 255 - grey))],
    ['mirrored and askew', mirrored(turned(code, 30))],
    ['on its corner', turned(code, 45)],
    ['on another corner', turned(code, 135)],
    ['askew', turned(code, 12)],
    ['from below', tilted(code, 0.25)],
    ['out of focus', blurred(code, 3)],
    ['grainy', grainy(code, 120)],
    ['very grainy', grainy(large, 200)],
    ['faded', changed(code, (grey) => 110 + grey / 16)],
    [
      'half in shadow',
      changed(code, (grey, index) => 20 + grey * (0.25 + (index % code.width) / code.width / 1.6)),
    ],
    [
      'small on a large screen',
      placed(small, { width: 2560, height: 1440 }, { x: 2000, y: 900 }, 235),
    ],
  ])('reads a code %s, as PNG and as JPEG', (_, picture) => {
    expect(readQrImage(toPng(picture), patient)).toEqual(found)
    expect(readQrImage(toJpeg(picture, 90), patient)).toEqual(found)
  })

  it('gives up within its time limit', async () => {
    const nothing = placed(code, { width: 1000, height: 1000 }, { x: 0, y: 0 })
    nothing.data.fill(255)
    const picture = toPng(grainy(nothing, 200))
    const work = await workOf(() =>
      expect(readQrImage(picture, { timeLimitMilliseconds: 50 }).ok).toBe(false),
    )
    expect(work).toBeLessThan(5000)
  })
})

describe('hostile images', () => {
  const jpeg = toJpeg(code)
  const scanAt = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  const frameAt = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  const edited = (edit: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(jpeg)
    edit(bytes)
    return bytes
  }
  const scan = jpeg.subarray(scanAt, -2)

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([0xff])],
    ['a GIF', Buffer.from('GIF89a')],
    ['only a start marker', jpeg.subarray(0, 2)],
    ['an end in the tables', jpeg.subarray(0, scanAt - 40)],
    ['an end in the middle of the scan', jpeg.subarray(0, scanAt + 400)],
    ['no scan', Buffer.concat([jpeg.subarray(0, scanAt), Buffer.from([0xff, 0xd9])])],
    ['a scan before its frame', Buffer.concat([jpeg.subarray(0, 2), scan, jpeg.subarray(2)])],
    ['more pixels than memory', edited((b) => b.fill(0xff, frameAt + 5, frameAt + 9))],
    ['no height', edited((b) => b.fill(0, frameAt + 5, frameAt + 7))],
    ['255 components', edited((b) => b.writeUInt8(255, frameAt + 9))],
    ['a sampling factor of 0', edited((b) => b.writeUInt8(0, frameAt + 11))],
    ['a sampling factor of 15', edited((b) => b.writeUInt8(0xff, frameAt + 11))],
    ['twelve bits', edited((b) => b.writeUInt8(12, frameAt + 4))],
    ['arithmetic coding', edited((b) => b.writeUInt8(0xc9, frameAt + 1))],
    ['a scan of 255 components', edited((b) => b.writeUInt8(255, scanAt + 4))],
    ['a segment without a length', edited((b) => b.writeUInt16BE(0, 4))],
    [
      'two frames',
      Buffer.concat([
        jpeg.subarray(0, frameAt),
        jpeg.subarray(frameAt, frameAt + 19),
        jpeg.subarray(frameAt),
      ]),
    ],
    ['many scans of a large picture', createProgressiveJpeg(4000, 60)],
    [
      'thousands of scans',
      Buffer.concat([jpeg.subarray(0, scanAt), ...Array.from({ length: 2000 }, () => scan)]),
    ],
  ])('%s is rejected, quickly', async (_, bytes) => {
    const work = await workOf(() =>
      expect(readQrImage(bytes)).toMatchObject({ ok: false, reason: expect.stringMatching(/\w/) }),
    )
    expect(work).toBeLessThan(10_000)
  })

  it('full of patterns like the corners of a code is given up', async () => {
    const side = 2800
    const isDark = (x: number, y: number) => {
      const ring = Math.min(x, y, 6 - x, 6 - y)
      return ring >= 0 && ring !== 1
    }
    const data = Uint8Array.from({ length: side ** 2 }, (_, at) =>
      isDark((at % side) % 14, Math.floor(at / side) % 14) ? 0 : 255,
    )
    const frame = { width: side, height: side, data, format: 'GREY' } as const
    const work = await workOf(() =>
      expect(readQrFrame(frame, { timeLimitMilliseconds: 1 }).ok).toBe(false),
    )
    expect(work).toBeLessThan(10_000)
  })

  it('is rejected if its samples would need more than 256 MiB', () => {
    const bytes = edited((b) => {
      b.writeUInt16BE(5000, frameAt + 5)
      b.writeUInt16BE(5000, frameAt + 7)
    })
    expect(readQrImage(bytes)).toMatchObject({ reason: expect.stringMatching(/too large/) })
  })

  it('never throws, regardless of the invalid bytes', async () => {
    const short = toJpeg(await drawQr('openid4vp://?a=b', 2), 50)
    let state = 7
    const random = (below: number) => {
      state = (state * 1103515245 + 12345) & 0x7fffffff
      return state % below
    }
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(short)
      for (let flips = 0; flips < 4; flips++) bytes[random(bytes.length)] = random(256)
      expect(readQrImage(bytes, { timeLimitMilliseconds: 1 })).toHaveProperty('ok')
    }
  })
})

/** A progressive JPEG of one colour, in scans of a few bytes each. */
function createProgressiveJpeg(side: number, scans: number): Buffer {
  const segment = (marker: number, ...body: number[]) =>
    Buffer.from([0xff, marker, 0, body.length + 2, ...body])
  const size = [side >> 8, side & 255]
  // The only code stands for 16,384 blocks without a value (ITU-T T.81, G.1.2.2).
  const endOfBand = segment(0xc4, 0x10, 1, ...Array(15).fill(0), 0xe0)
  const scan = (approximation: number) =>
    Buffer.concat([segment(0xda, 1, 1, 0, 1, 63, approximation), Buffer.alloc(32)])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array(64).fill(1)),
    segment(0xc2, 8, ...size, ...size, 1, 1, 0x11, 0),
    endOfBand,
    scan(0x01),
    ...Array.from({ length: scans - 1 }, () => scan(0x10)),
    Buffer.from([0xff, 0xd9]),
  ])
}

it('reads a photograph of twelve megapixels', async () => {
  const text =
    'openid-credential-offer://?credential_offer_uri=https%3A%2F%2Fissuer.example%2Foffers%2F1'
  const photo = placed(
    grainy(blurred(turned(await drawQr(text), 17), 1), 30),
    { width: 4032, height: 3024 },
    { x: 1500, y: 900 },
    140,
  )
  const patient = { timeLimitMilliseconds: 60_000 }
  expect(readQrImage(toJpeg(photo), patient)).toEqual({ ok: true, text })
})
