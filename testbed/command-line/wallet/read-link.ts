import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { LinkKind } from '#core/link/find-link.ts'
import { describeFileError } from '#kit/files.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { readLink as readLinkOf } from '#wallet-emulator/link/read-link.ts'

const kinds = { offer: 'credential offer', request: 'presentation request' } as const

/**
 * The link that a command was given: as text, or as a QR code on a PNG or JPEG file (`-` for stdin).
 * Throws a TestbedError `invalid_option` where there is neither or both, no readable image, or a
 * link of the other kind.
 */
export async function readLink(
  wanted: LinkKind,
  { link, qr }: { readonly link: string | undefined; readonly qr: string | undefined },
): Promise<string> {
  if ((link === undefined) === (qr === undefined)) {
    throw wrongUsage('Give either a link or --qr with a PNG or JPEG file.')
  }
  const read = readLinkOf(link ?? (await readImage(qr ?? '')))
  if (!read.ok) throw wrongUsage(`No link came out of ${qr ?? 'that'}: ${read.reason}.`)
  if (read.kind === wanted) return read.link
  const command = read.kind === 'offer' ? 'accept' : 'present'
  throw wrongUsage(`This is a ${kinds[read.kind]}: ${programCommand} wallet ${command} takes it.`)
}

async function readImage(qr: string): Promise<Uint8Array> {
  return (qr === '-' ? buffer(process.stdin) : readFile(qr)).catch((cause) => {
    throw wrongUsage(
      `Cannot read ${qr}, the file of --qr: ${describeFileError(cause) ?? cause.code}.`,
    )
  })
}

function wrongUsage(message: string): TestbedError {
  return new TestbedError({ code: 'invalid_option', status: 400, message })
}
