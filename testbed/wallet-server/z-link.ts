import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'

/** A link as text, or an image with its QR code. */
export const linkMembers = {
  link: z.string().min(1).max(100_000).optional().describe('The link itself'),
  image: z
    .string()
    .max(8_000_000)
    .optional()
    .describe('Base64 of a PNG or JPEG with the QR code, in place of the link'),
}

/** The link that a body names, in one way or the other. Throws a TestbedError `invalid_request`. */
export function readLinkOf({
  link,
  image,
}: {
  link?: string | undefined
  image?: string | undefined
}): string {
  if ((link === undefined) === (image === undefined)) throw invalid('Give either link or image.')
  if (image === undefined) return link ?? ''
  const read = readQrImage(Buffer.from(image, 'base64'))
  if (read.ok) return read.text
  throw invalid(`No link came out of the image: ${read.reason}.`)
}

function invalid(message: string): TestbedError {
  return new TestbedError({ code: 'invalid_request', status: 400, message })
}
