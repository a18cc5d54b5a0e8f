import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Finding } from '#testbed/doctor/check.ts'
import { exitCodes } from '../exit-codes.ts'
import { parsePortBase } from './up.ts'

export const summary = 'tell what is there and what is missing on this machine'

interface DoctorOptions {
  readonly portBase: number
  readonly data: string
  readonly json?: boolean
}

async function examine({ portBase, data }: DoctorOptions): Promise<Finding[]> {
  const [node, chain, browser, ports, folder] = await Promise.all([
    import('#testbed/doctor/check-node.ts'),
    import('#testbed/doctor/check-chain.ts'),
    import('#testbed/doctor/check-browser.ts'),
    import('#testbed/doctor/check-ports.ts'),
    import('#testbed/doctor/check-data-folder.ts'),
  ])
  return Promise.all([
    node.checkNode(),
    chain.checkChain(),
    browser.checkBrowser(process.env.PUPPETEER_EXECUTABLE_PATH),
    ports.checkPorts(portBase, ['pre'], resolve(data)),
    folder.checkDataFolder(resolve(data)),
  ])
}

function format({ name, verdict, found, advice }: Finding): string {
  const line = `${verdict.padEnd(8)}  ${name}: ${found}\n`
  return advice === undefined ? line : `${line}          ${advice}\n`
}

async function doctor(options: DoctorOptions): Promise<void> {
  const findings = await examine(options)
  if (options.json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
  else for (const finding of findings) process.stdout.write(format(finding))
  const isMissing = findings.some(({ verdict }) => verdict === 'missing')
  process.exitCode = isMissing ? exitCodes.failed : exitCodes.passed
}

export function configure(command: Command): void {
  command
    .option('--port-base <n>', 'first of the ports to look at', parsePortBase, 4000)
    .option('--data <folder>', 'the data folder', '.testbed')
    .action(doctor)
}
