import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { startCommand } from '#scenarios/harness/command-line.ts'
import { findPortOwner, listen } from '#testbed/process/listen.ts'
import { listPorts } from '#testbed/process/ports.ts'
import { exitCodes } from '../exit-codes.ts'
import { paint } from '../terminal.ts'
import { parsePortBase } from './up.ts'

export const summary = 'check the requirements of the testbed on this machine'

export const examples = [
  ['doctor', 'before the first start'],
  ['doctor --port-base 14000', 'for other ports'],
] as const

export function configure(command: Command): void {
  command
    .option('--port-base <n>', 'first port to check', parsePortBase, 4000)
    .option('--data <folder>', 'the data folder', '.testbed')
    .action(doctor)
}

interface DoctorOptions {
  readonly portBase: number
  readonly data: string
  readonly json?: boolean
}

/** What `testbed doctor` found for one requirement of the testbed. */
interface Finding {
  readonly name: string
  readonly verdict: 'ok' | 'missing' | 'in use'
  readonly found: string
  /** What to do, if action is required. */
  readonly advice?: string
}

async function doctor(options: DoctorOptions): Promise<void> {
  const findings = await examine(options)
  if (options.json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
  else for (const finding of findings) process.stdout.write(format(finding))
  const isUnmet = findings.some(({ verdict }) => verdict !== 'ok')
  process.exitCode = isUnmet ? exitCodes.failed : exitCodes.passed
}

function examine({ portBase, data }: DoctorOptions): Promise<Finding[]> {
  const folder = resolve(data)
  return Promise.all([
    checkNode(),
    checkChain(),
    checkBrowser(process.env.PUPPETEER_EXECUTABLE_PATH),
    checkPorts(portBase, ['pre'], folder),
    checkDataFolder(folder),
    checkTemporaryFolder(tmpdir()),
    checkProxy(),
  ])
}

const colors = { ok: 'green', missing: 'red', 'in use': 'red' } as const

function format({ name, verdict, found, advice }: Finding): string {
  const line = `${paint(colors[verdict], verdict.padEnd(8))}  ${name}: ${found}\n`
  return advice === undefined ? line : `${line}          ${advice}\n`
}

/** The Node that runs this command, compared with the one that the project requires. */
function checkNode(): Finding {
  const needed = readFileSync(resolve(import.meta.dirname, '../../../.nvmrc'), 'utf8').trim()
  const name = 'Node'
  const found = process.versions.node
  if (Number.parseInt(found, 10) >= Number.parseInt(needed, 10))
    return { name, verdict: 'ok', found }
  return {
    name,
    verdict: 'missing',
    found,
    advice: `Start with ${startCommand}, which downloads Node ${needed}, or install it: https://nodejs.org`,
  }
}

/** Whether the simulated chain, with its native module, starts on this machine. */
async function checkChain(): Promise<Finding> {
  const name = 'chain node'
  try {
    const { createSimulatedNetwork } = await import('#testbed/chain/create-simulated-network.ts')
    const { request } = await createSimulatedNetwork({ chainId: 1, genesisTime: 1_700_000_000 })
    return { name, verdict: 'ok', found: String(await request('web3_clientVersion')) }
  } catch (error) {
    return {
      name,
      verdict: 'missing',
      found: error instanceof Error ? error.message : String(error),
      advice: 'Remove node_modules and reinstall: the native module is missing.',
    }
  }
}

/** The browser that the login scenarios would use; the bundled one if none is installed. */
async function checkBrowser(executablePath: string | undefined): Promise<Finding> {
  const { findInstalledBrowser } = await import('#scenarios/harness/launch-browser.ts')
  const name = 'browser'
  if (executablePath !== undefined && !isExecutable(executablePath)) {
    return {
      name,
      verdict: 'missing',
      found: `${executablePath} is not a program`,
      advice: 'Correct PUPPETEER_EXECUTABLE_PATH, or unset it to use another browser.',
    }
  }
  const found = executablePath ?? (await findInstalledBrowser())
  if (found !== undefined) return { name, verdict: 'ok', found }
  return { name, verdict: 'ok', found: 'none installed; the bundled browser is used' }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

async function isFree(port: number, part: string): Promise<boolean> {
  try {
    await (await listen('127.0.0.1', port, part)).close()
    return true
  } catch {
    return false
  }
}

/** The process of the testbed that runs on a data folder, if there is a `testbed.json`. */
function readTestbedPid(dataFolder: string): number | undefined {
  try {
    return JSON.parse(readFileSync(join(dataFolder, 'testbed.json'), 'utf8')).pid
  } catch {
    return undefined
  }
}

/** One phrase per process, however many of the ports it uses. */
function describeTaken(ports: readonly number[]): string {
  const byOwner = Map.groupBy(ports, (port) => {
    const owner = findPortOwner(port)
    return owner === undefined ? 'a process of another user' : `${owner.pid} (${owner.command})`
  })
  return [...byOwner].map(([owner, held]) => `${held.join(', ')} taken by ${owner}`).join('; ')
}

/**
 * Whether the ports that `testbed up` needs are free, or used by the testbed that runs on this data
 * folder.
 */
async function checkPorts(
  base: number,
  environments: readonly DidEnvironment[],
  dataFolder: string,
): Promise<Finding> {
  const ports = listPorts(base, environments)
  const free = await Promise.all(ports.map(({ port, part }) => isFree(port, part)))
  const taken = ports.map(({ port }) => port).filter((_port, index) => !free[index])
  const name = 'ports'
  if (taken.length === 0) {
    return { name, verdict: 'ok', found: `${ports.length} free ports from ${base}` }
  }
  const running = readTestbedPid(dataFolder)
  if (running !== undefined && findPortOwner(base)?.pid === running) {
    return {
      name,
      verdict: 'ok',
      found: `in use by the testbed running here (process ${running})`,
    }
  }
  return {
    name,
    verdict: 'in use',
    found: describeTaken(taken.toSorted((a, b) => a - b)),
    advice: 'Stop the processes that use them, or choose other ports with --port-base N.',
  }
}

const checkDataFolder = (folder: string) =>
  checkFolder('data folder', folder, 'Choose another folder with --data DIR.')

/** Browsers write there, and the bundled one is unpacked there. */
const checkTemporaryFolder = (folder: string) =>
  checkFolder('temporary folder', folder, 'Set TMPDIR to a writable folder.')

/** Whether a folder can be written, or created. */
function checkFolder(name: string, folder: string, advice: string): Finding {
  let nearest = folder
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  if (!statSync(nearest).isDirectory())
    return { name, verdict: 'missing', found: `${nearest} is not a folder`, advice }
  try {
    accessSync(nearest, constants.W_OK)
    const found = nearest === folder ? folder : `${folder} (created at first use)`
    return { name, verdict: 'ok', found }
  } catch {
    return { name, verdict: 'missing', found: `${nearest} is not writable`, advice }
  }
}

/** Whether scenarios reach this machine: with NODE_USE_ENV_PROXY Node uses a proxy for it, too. */
async function checkProxy(): Promise<Finding> {
  const name = 'requests to 127.0.0.1'
  const { port, serve, close } = await listen('127.0.0.1', 0, 'the check')
  serve((_request, response) => response.end(name))
  try {
    const response = await fetch(`http://127.0.0.1:${port}`)
    if ((await response.text()) === name) return { name, verdict: 'ok', found: 'answered' }
  } catch {
    // Reported below, like the answer of a proxy.
  } finally {
    await close()
  }
  return {
    name,
    verdict: 'missing',
    found: 'they do not arrive',
    advice: 'If a proxy is set (HTTP_PROXY), add 127.0.0.1 to NO_PROXY.',
  }
}
