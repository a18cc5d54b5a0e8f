import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-png.ts'

/**
 * The link that a command was given: as text, or as a QR code on a PNG file (`-` for stdin). Throws
 * a TestbedError `invalid_option` where there is neither or both, or no readable image.
 */
export async function readLink(link: string | undefined, qr: string | undefined): Promise<string> {
  if ((link === undefined) === (qr === undefined)) {
    throw wrongUsage('Give either a link or --qr with a PNG file.')
  }
  if (qr === undefined) return link ?? ''
  const bytes = await (qr === '-' ? buffer(process.stdin) : readFile(qr)).catch((cause) => {
    throw wrongUsage(`${qr} can't be read: ${cause.message}.`)
  })
  const read = readQrPng(bytes)
  if (read.ok) return read.text
  throw wrongUsage(`No link came out of ${qr}: ${read.reason}.`)
}

function wrongUsage(message: string): TestbedError {
  return new TestbedError({ code: 'invalid_option', status: 400, message })
}
