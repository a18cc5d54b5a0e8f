import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { describeFileError } from '#kit/files.ts'
import { startCommand } from '#scenarios/harness/command-line.ts'
import { createControlClient } from '#scenarios/harness/control-client.ts'
import { type TestbedFile, zTestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { wrongUsage } from './registries/wrong-usage.ts'

/** Reads a `testbed.json`; undefined where there is none. */
async function readTestbedFile(path: string): Promise<TestbedFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw wrongUsage(
      `Cannot read ${path}, the file of --testbed: ${describeFileError(error) ?? error.code}.`,
    )
  })
  if (text === undefined) return undefined
  const invalid = (problem: string, cause?: unknown) =>
    new TestbedError({
      code: 'invalid_option',
      status: 400,
      message: `${path} is no testbed.json of this version:\n${problem}`,
      cause,
    })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalid((cause as Error).message, cause)
  }
  const parsed = zTestbedFile.safeParse(value)
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error))
  return parsed.data
}

async function answers({ control, environments }: TestbedFile): Promise<boolean> {
  const [environment = 'pre'] = Object.keys(environments)
  const signal = AbortSignal.timeout(3000)
  const client = createControlClient({
    ...control,
    environment,
    scenarioId: () => 'command-line',
    signal,
  })
  return client.readClock().then(
    () => true,
    () => false,
  )
}

/**
 * The running testbed that a `testbed.json` names.
 * @throws TestbedError `invalid_option`, `not_running`
 */
export async function findRunningTestbed(path: string): Promise<TestbedFile> {
  const file = await readTestbedFile(path)
  if (file !== undefined && (await answers(file))) return file
  throw new TestbedError({
    code: 'not_running',
    status: 503,
    message:
      file === undefined
        ? `There is no file ${path}, which --testbed names.`
        : `The testbed of ${path} does not answer at ${file.control.url}.`,
    hints: [`Start one with \`${startCommand}\`, or leave out --testbed to have one started.`],
  })
}
