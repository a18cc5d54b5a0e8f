import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { describeFileError } from '#kit/files.ts'
import { type Results, zResults } from '#scenarios/harness/z-results.ts'

/** The `results.json` that a path names: itself, or the folder of reports that it stands in. */
export async function findResults(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isFolder ? join(path, 'results.json') : path
}

/**
 * Reads the results of a run from a `results.json` or from a folder of reports.
 * @throws TestbedError `invalid_option` where there are none
 */
export async function readResults(path: string): Promise<Results> {
  const refuse = (problem: string, cause?: unknown): never => {
    const message = `${path} holds no results of a run: ${problem}`
    throw new TestbedError({ code: 'invalid_option', status: 400, message, cause })
  }
  try {
    const parsed = zResults.safeParse(JSON.parse(await readFile(await findResults(path), 'utf8')))
    return parsed.success ? parsed.data : refuse(z.prettifyError(parsed.error))
  } catch (cause) {
    if (cause instanceof TestbedError) throw cause
    return refuse(describeFileError(cause) ?? (cause as Error).message, cause)
  }
}
