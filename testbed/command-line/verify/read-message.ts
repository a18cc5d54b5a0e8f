import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { describeFileError } from '#kit/files.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import { wrongUsage } from '../registries/wrong-usage.ts'

const looksLikeMessage = /^\s*(?:openid[\w-]*:|https?:|eyJ|\{)/i

/**
 * The message that a command was given: what a file or stdin (`-`) holds, out of the QR code where it
 * is an image, or the argument itself where it is no file but a link, a JWT or JSON.
 * @throws TestbedError `invalid_option` where there is none
 */
export async function readMessage(file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((cause) => {
    if (looksLikeMessage.test(file)) return Buffer.from(file)
    throw wrongUsage(`Cannot read ${file}: ${describeFileError(cause) ?? cause.code}.`)
  })
  const text = isImage(bytes) ? readImage(bytes, file) : bytes.toString('utf8')
  if (text.trim() === '') throw wrongUsage(`There is nothing in ${file === '-' ? 'stdin' : file}.`)
  return text
}

function isImage(bytes: Uint8Array): boolean {
  return (bytes[0] === 0x89 && bytes[1] === 0x50) || (bytes[0] === 0xff && bytes[1] === 0xd8)
}

function readImage(bytes: Uint8Array, file: string): string {
  const qr = readQrImage(bytes)
  if (qr.ok) return qr.text
  throw wrongUsage(`No message came out of ${file === '-' ? 'stdin' : file}: ${qr.reason}.`)
}
