import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { wrongUsage } from './wrong-usage.ts'

const readers = new Map<string, string>()

/**
 * The text of a file, or of stdin for `-`. Stdin can be one thing only: whoever asks for a second
 * one gets a TestbedError `invalid_option`, as for a file that can't be read.
 */
export async function readInput(file: string, what: string): Promise<string> {
  if (file !== '-') {
    return readFile(file, 'utf8').catch((cause) => {
      throw wrongUsage(`${what} can't be read: ${cause.message}.`)
    })
  }
  const earlier = readers.get('-')
  if (earlier !== undefined) throw wrongUsage(`stdin is ${earlier}; it can't be ${what} too.`)
  readers.set('-', what)
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
