import encodeQR from 'qr'

// A cell of a terminal is about twice as high as it is wide: each holds two modules.
const blocks = { '00': ' ', '01': '▄', '10': '▀', '11': '█' } as const

/**
 * Draws a text as a QR code of half blocks, for a terminal: lines of equal length, light modules
 * drawn and dark ones left blank, as terminals are mostly dark. With the quiet zone of four modules
 * (ISO/IEC 18004) drawn too, it is read from a light terminal as well, where it is inverted.
 * A text beyond a QR code's capacity (2 953 bytes) throws a RangeError.
 */
export function drawQrBlocks(text: string): readonly string[] {
  if (Buffer.byteLength(text) > 2953) throw new RangeError('the text is too long for a QR code')
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: 4 })
  const lines: string[] = []
  for (let row = 0; row < modules.length; row += 2) {
    const [upper = [], lower] = [modules[row], modules[row + 1]]
    lines.push(
      upper
        .map((dark, column) => blocks[`${lightOf(dark)}${lightOf(lower?.[column] ?? true)}`])
        .join(''),
    )
  }
  return lines
}

const lightOf = (dark: boolean) => (dark ? '0' : '1')
