import { toBuffer } from 'qrcode'
import { createQrPng } from '#core/qr/qr-code.ts'
import { readQrPng as readByForeignLibraries } from '#test/support/images.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'
import { compare } from '../harness/compare.ts'
import type { Measurement } from '../harness/measurement.ts'

/** As long as a credential offer by reference, and different each time. */
const textOf = (index: number) =>
  `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(
    `http://127.0.0.1:4003/credential-offer/${String(index).padStart(43, 'x')}`,
  )}`.padEnd(250, '&')

function expectText(read: string | undefined, index: number) {
  if (read !== textOf(index)) throw new Error('the QR code was read wrongly')
}

export const measurement: Measurement = {
  title: 'a QR code of 250 characters made as PNG and read again',
  measure: (say) =>
    compare(
      {
        unit: 'codes',
        ours: {
          name: 'this testbed',
          async operation(index) {
            const read = readQrPng(createQrPng(textOf(index)))
            expectText(read.ok ? read.text : undefined, index)
          },
        },
        peer: {
          name: 'qrcode, pngjs and jsqr',
          async operation(index) {
            expectText(readByForeignLibraries(await toBuffer(textOf(index), { scale: 6 })), index)
          },
        },
        loads: [{ concurrency: 1, operations: 100 }],
        atLeast: 1,
      },
      say,
    ),
}
