import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { describeFileError } from '#kit/files.ts'
import { wrongUsage } from './wrong-usage.ts'

/** What was read from stdin, once something was. */
let onStdin: string | undefined

/**
 * The text of a file, or of stdin for `-`. Stdin can be one thing only: whoever asks for a second
 * one gets a TestbedError `invalid_option`, as for a file that can't be read.
 */
export async function readInput(file: string, what: string): Promise<string> {
  if (file !== '-') {
    return readFile(file, 'utf8').catch((cause) => {
      const reason = describeFileError(cause) ?? cause.code
      throw wrongUsage(`Cannot read ${file}, ${what}: ${reason}.`)
    })
  }
  if (onStdin !== undefined) throw wrongUsage(`stdin is ${onStdin}; it can't be ${what} too.`)
  onStdin = what
  return text(process.stdin)
}

/** The JSON of a file, or of stdin for `-`; `invalid_option` where it is none. */
export async function readJsonInput(file: string, what: string): Promise<unknown> {
  const content = await readInput(file, what)
  try {
    return JSON.parse(content)
  } catch {
    throw wrongUsage(`${what} is no JSON.`)
  }
}
