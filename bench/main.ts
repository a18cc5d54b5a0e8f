#!/usr/bin/env node
// Measures the performance targets of the design, each compared with a peer in the same run.
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { Command, CommanderError } from 'commander'
import { capitalize, describeResult, formatFigure, formatTable, replaceSection } from './format.ts'
import type { Figure, Measurement, Table } from './harness.ts'
import { describeRevision, provideBase } from './testbed-process.ts'

interface Row {
  /** The operation, and the peer. */
  readonly title: string
  /** About how long it takes, without and with a base. */
  readonly minutes: string
  readonly load: () => Promise<Measurement>
}

const measurements: Readonly<Record<string, Row>> = {
  diagram: {
    minutes: '1',
    title: 'the thousandth exchange of the live diagram, in a real browser',
    load: async () => (await import('./console/measure-diagram.ts')).measureDiagram,
  },
  'growth-of-dids': {
    minutes: '25',
    title: 'resolution, pages, accreditations and start with 10 to 100,000 registered DIDs',
    load: async () => (await import('./growth/measure-growth.ts')).measureDids,
  },
  growth: {
    minutes: '4',
    title: 'login, issuance, emails and start with 10 to 100,000 stored rows of each',
    load: async () => (await import('./growth/measure-growth.ts')).measureGrowth,
  },
  issuance: {
    minutes: '1, 2',
    title: 'issuances, compared with oid4vc-ts on Express',
    load: async () => (await import('./issuance/measure-issuance.ts')).measureIssuance,
  },
  'issuance-cost': {
    minutes: '1',
    title: 'processor time, exchanges, SQL statements and signatures of each step of an issuance',
    load: async () => (await import('./costs/measure-costs.ts')).measureIssuanceCost,
  },
  login: {
    minutes: '1, 2',
    title: 'logins, compared with oidc-provider with oid4vc-ts',
    load: async () => (await import('./login/measure-login.ts')).measureLogin,
  },
  'login-cost': {
    minutes: '1',
    title: 'processor time, exchanges, SQL statements and signatures of each step of a login',
    load: async () => (await import('./costs/measure-costs.ts')).measureLoginCost,
  },
  'many-dids': {
    minutes: '5',
    title: 'a registry of 10000 DIDs compared with a registry of 10, and the replay of its journal',
    load: async () => (await import('./registries/measure-registries.ts')).measureManyDids,
  },
  memory: {
    minutes: '4, 5',
    title: 'memory of a testbed without its chain, after each of five runs of all suites',
    load: async () => (await import('./testbed.ts')).measureMemory,
  },
  packages: {
    minutes: '1',
    title: 'current packages compared with those first chosen, for the same work',
    load: async () => (await import('./packages.ts')).measurePackages,
  },
  qr: {
    minutes: '1',
    title: 'a QR code of 250 characters, written as PNG and read',
    load: async () => (await import('./packages.ts')).measureQrCodes,
  },
  'registry-writes': {
    minutes: '1',
    title:
      'writes through the DID registry API, compared with the same transactions sent to the chain node',
    load: async () => (await import('./registries/measure-registries.ts')).measureRegistryWrites,
  },
  resolution: {
    minutes: '1',
    title: 'a DID document from the DID registry API, compared with its eth_call',
    load: async () => (await import('./registries/measure-registries.ts')).measureResolution,
  },
  soak: {
    minutes: '11',
    title: 'ten minutes of logins and issuances: memory, file handles and databases',
    load: async () => (await import('./growth/measure-growth.ts')).measureSoak,
  },
  start: {
    minutes: '1',
    title:
      '`testbed up` from its process to healthy; with contracts deployed and trust chain seeded',
    load: async () => (await import('./testbed.ts')).measureStart,
  },
  suites: {
    minutes: '2, 4',
    title: 'all scenario suites, from nothing running, and the time to the first result',
    load: async () => (await import('./testbed.ts')).measureSuites,
  },
}

const say = (line: string) => console.error(`  ${line}`)

/** They run only by name. */
const longMeasurements: ReadonlySet<string> = new Set(['growth', 'growth-of-dids', 'soak'])

const pageFile = new URL('../docs/benchmarks.md', import.meta.url)

const names = Object.keys(measurements)

const program = new Command('npm run bench --')
  .description('Measures the speed of the testbed, compared with peers in the same run.')
  .argument(
    '[measurement...]',
    'measurements to run; default: all except growth, growth-of-dids and soak',
  )
  .option('--base <revision>', 'another revision, or the folder of a checkout, to compare with')
  .option('--write', 'replace the sections of these measurements in docs/benchmarks.md')
  .option('--json', 'print the figures as data')
  .addHelpText(
    'after',
    `\nMeasurements, with their minutes (with --base after the comma):\n${names.map((name) => `  ${name.padEnd(16)} ${measurements[name]?.minutes.padEnd(5)} ${measurements[name]?.title}`).join('\n')}

Exit codes: 0 all targets met, 1 a target was missed or a measurement failed, 2 usage error.`,
  )
  .showHelpAfterError('(--help lists the measurements)')
  .exitOverride()
  .action(run)

try {
  await program.parseAsync()
  process.exit()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
  console.error(error)
  process.exit(1)
}

interface RunOptions {
  readonly json?: boolean
  readonly write?: boolean
  readonly base?: string
}

async function run(
  wanted: readonly string[],
  { json, write, base: baseName }: RunOptions,
): Promise<void> {
  const unknown = wanted.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    const known = names.join(', ')
    program.error(
      `error: unknown measurement ${unknown.join(', ')}. The measurements are ${known}.`,
    )
  }
  const results: Record<string, readonly (Figure | Table)[]> = {}
  const cores = `${availableParallelism()} cores, ${cpus()[0]?.model}`
  const machine = `Revision ${describeRevision()}, ${cores}, Node ${process.versions.node}`
  console.error(machine)
  const base = baseName === undefined ? undefined : provideBase(baseName, say)
  for (const [name, { title, load }] of Object.entries(measurements)) {
    if (wanted.length > 0 ? !wanted.includes(name) : longMeasurements.has(name)) continue
    const measure = await load()
    console.error(`\n${name}: ${title}`)
    const result = await measure(say, base)
    results[name] = result
    if (write) {
      const heading = capitalize(name.replaceAll('-', ' ')).replace('dids', 'DIDs')
      const about = `${capitalize(title)}. ${machine}.`
      await writeSection(name, `## ${heading}\n\n${about}\n\n${describeResult(result)}`)
    }
    if (json) continue
    console.log(`${name}: ${title}`)
    for (const part of result) {
      console.log(('columns' in part ? formatTable(part) : formatFigure(part)).join('\n'))
    }
  }
  if (json) console.log(JSON.stringify(results, undefined, 2))
  const all = Object.values(results).flat()
  process.exitCode = all.every((part) => 'columns' in part || part.holds) ? 0 : 1
}

/** Keeps the sections of the other measurements. */
async function writeSection(name: string, text: string): Promise<void> {
  const page = await readFile(pageFile, 'utf8')
  await writeFile(pageFile, replaceSection(page, name, text))
}
