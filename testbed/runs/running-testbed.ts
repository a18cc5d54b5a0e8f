import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listIssues, plainIssues } from '#core/json/plain-issues.ts'
import { parseJson } from '#core/json/read-json.ts'
import { describeFileError } from '#kit/files.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { createControlClient } from '#scenarios/harness/control-client.ts'
import { type TestbedFile, zTestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { notRunning } from '#testbed/errors.ts'

/** Reads a `testbed.json`; undefined if it does not exist. */
async function parseTestbedFile(path: string): Promise<TestbedFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw wrongUsage(`Cannot read ${path} (--testbed): ${describeFileError(error) ?? error.code}.`)
  })
  if (text === undefined) return undefined
  const value = parseJson(text)
  const parsed = zTestbedFile.safeParse(value, plainIssues)
  if (parsed.success) return parsed.data
  const problem = value === undefined ? 'it is not valid JSON' : listIssues(parsed.error)
  throw wrongUsage(
    `${path} is not a testbed.json of this version: ${problem}.`,
    [
      'Use the testbed.json in the data folder of a running testbed (default: .testbed/testbed.json).',
    ],
    parsed.error,
  )
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
  const file = await parseTestbedFile(path)
  if (file !== undefined && (await answers(file))) return file
  throw notRunning(
    file === undefined
      ? `The file ${path} (--testbed) does not exist.`
      : `The testbed of ${path} does not respond at ${file.control.url}.`,
  )
}

/** The running testbed of a data folder, or undefined if none is running. */
export async function readTestbedFile(dataFolder: string): Promise<TestbedFile | undefined> {
  try {
    const file = zTestbedFile.safeParse(
      JSON.parse(await readFile(join(dataFolder, 'testbed.json'), 'utf8')),
    )
    return file.success ? file.data : undefined
  } catch {
    return undefined
  }
}

/**
 * The clock of a running testbed, which may have been moved: Unix seconds. Without a testbed, or if
 * it does not answer, the machine's own.
 */
export async function readTestbedClock(testbed: TestbedFile | undefined): Promise<() => number> {
  const machine = () => Date.now() / 1000
  const offset = testbed ? (await askForTime(testbed).catch(machine)) - machine() : 0
  return () => Math.floor(machine() + offset)
}

async function askForTime({ control }: TestbedFile): Promise<number> {
  const response = await fetch(`${control.url}/clock`, {
    headers: { authorization: `Bearer ${control.token}`, 'user-agent': 'lear-testbed/wallet' },
    signal: AbortSignal.timeout(2000),
    redirect: 'error',
  })
  const { now } = (await response.json()) as { now?: unknown }
  if (typeof now !== 'number') throw new TypeError('the control interface returned no time')
  // The interface returns whole seconds: without the half second the moved clock would lag on
  // average.
  return Number.isInteger(now) ? now + 0.5 : now
}
