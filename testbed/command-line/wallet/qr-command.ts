import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { createQrPng, drawQrBlocks } from '#core/qr/qr-code.ts'
import { print, printJson, say } from '../terminal/print.ts'

interface QrOptions {
  readonly png?: string
  readonly json?: boolean
}

/** `testbed wallet qr`: a link as a QR code, on the terminal or in a file, for a phone to scan. */
export function addQrCommand(parent: Command): void {
  parent
    .command('qr')
    .description('show a link as a QR code on the terminal, for a phone to scan')
    .argument('<link>', 'an openid-credential-offer: or openid4vp: link, or any other text')
    .option('--png <file>', 'write it to a PNG file instead')
    .action(async (link: string, _, command: Command) => {
      const { png, json } = command.optsWithGlobals<QrOptions>()
      if (png !== undefined)
        await writeFile(
          png,
          drawn(() => createQrPng(link)),
        )
      if (json) return printJson({ link, ...(png === undefined ? {} : { png }) })
      if (png !== undefined) return say(`Wrote ${png}.`)
      for (const line of drawn(() => drawQrBlocks(link))) print(paint(line))
    })
}

// On a terminal of whatever colours: white on black, as the drawing means it.
const paint = (line: string) =>
  process.stdout.isTTY && process.env.NO_COLOR === undefined
    ? `\u001B[97;40m${line}\u001B[0m`
    : line

function drawn<T>(draw: () => T): T {
  try {
    return draw()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new TestbedError({
      code: 'invalid_option',
      status: 400,
      message: 'The link is too long for a QR code, which holds 2953 bytes.',
      hints: ['An offer or a request by reference is short.'],
      cause,
    })
  }
}
