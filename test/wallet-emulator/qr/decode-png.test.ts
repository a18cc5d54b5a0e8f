import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { buildPng, encodeIndexedPng } from '#test/support/images.ts'
import { decodePng } from '#wallet-emulator/qr/decode-png.ts'

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
  it.each([0, 1, 2, 3, 4])('undoes row filter %i as pngjs does', (filterType) => {
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

  it('refuses data of another length than the size says', () => {
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
    'takes no more than 128 MiB for a depth of %i bits and colour type %i',
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
      expect(reasonFor(most)).toMatch(/inflate/)
      expect(reasonFor(most + 1)).toMatch(/too large/)
    },
  )

  it.each([
    ['a bit depth that the colour type does not have', [3, 2, 0, 0, 0]],
    ['an unknown colour type', [8, 5, 0, 0, 0]],
    ['an unknown compression', [8, 0, 1, 0, 0]],
    ['an unknown interlacing', [8, 0, 0, 0, 2]],
  ])('refuses %s', (_, last) => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(1, 0)
    header.writeUInt32BE(1, 4)
    header.set(last, 8)
    expect(decodePng(buildPng([['IHDR', header]])).ok).toBe(false)
  })
})
