#!/usr/bin/env node
// Measures what the design promises of speed, each beside a peer in the same run.
import { availableParallelism, cpus } from 'node:os'
import { Command, CommanderError } from 'commander'
import type { Figure, Measurement } from './harness.ts'

interface Row {
  /** What one operation is, and what the peer is. */
  readonly title: string
  readonly load: () => Promise<Measurement>
}

const measurements: Readonly<Record<string, Row>> = {
  issuance: {
    title: 'issuances, beside oid4vc-ts with did-jwt on Express',
    load: async () => (await import('./issuance/measure-issuance.ts')).measureIssuance,
  },
  login: {
    title: 'logins, beside oidc-provider with oid4vc-ts',
    load: async () => (await import('./login/measure-login.ts')).measureLogin,
  },
  'many-dids': {
    title: 'a registry of 10000 DIDs beside one of 10, and the replay of its journal',
    load: async () => (await import('./registries/measure-registries.ts')).measureManyDids,
  },
  packages: {
    title: 'packages used in place of the ones first chosen, at the same work',
    load: async () => (await import('./packages.ts')).measurePackages,
  },
  qr: {
    title: 'a QR code of 250 characters made as PNG and read again',
    load: async () => (await import('./packages.ts')).measureQrCodes,
  },
  'registry-writes': {
    title:
      'writes through the DID registry API, beside the same transactions sent to the chain node',
    load: async () => (await import('./registries/measure-registries.ts')).measureRegistryWrites,
  },
  resolution: {
    title: 'a DID document from the DID registry API, beside the eth_call under it',
    load: async () => (await import('./registries/measure-registries.ts')).measureResolution,
  },
  start: {
    title: '`testbed up` from its process to healthy; contracts deployed and trust chain seeded',
    load: async () => (await import('./testbed.ts')).measureStart,
  },
  suites: {
    title: 'all scenario suites, and what the testbed weighs after them',
    load: async () => (await import('./testbed.ts')).measureSuites,
  },
}

const names = Object.keys(measurements)

const program = new Command('npm run bench --')
  .description('Measures the speed of the testbed, beside peers in the same run.')
  .argument('[measurement...]', 'which ones; by default all')
  .option('--json', 'print the figures as data')
  .addHelpText(
    'after',
    `\nMeasurements:\n${names.map((name) => `  ${name.padEnd(16)} ${measurements[name]?.title}`).join('\n')}

Exit codes: 0 every target holds, 1 one was missed or a measurement failed, 2 wrong usage.`,
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

async function run(
  wanted: readonly string[],
  { json }: { readonly json?: boolean },
): Promise<void> {
  const unknown = wanted.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    const known = names.join(', ')
    program.error(`error: unknown measurement ${unknown.join(', ')}. There are ${known}.`)
  }
  const results: Record<string, readonly Figure[]> = {}
  console.error(
    `${availableParallelism()} cores, ${cpus()[0]?.model}, Node ${process.versions.node}`,
  )
  for (const [name, { title, load }] of Object.entries(measurements)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const measure = await load()
    console.error(`\n${name}: ${title}`)
    const figures = await measure((line) => console.error(`  ${line}`))
    results[name] = figures
    if (!json) console.log(printFigures(`${name}: ${title}`, figures))
  }
  if (json) console.log(JSON.stringify(results, undefined, 2))
  const all = Object.values(results).flat()
  process.exitCode = all.every(({ holds }) => holds) ? 0 : 1
}

/** The figures of one measurement as lines for a terminal. */
function printFigures(title: string, figures: readonly Figure[]): string {
  const lines = figures.flatMap((figure) => [
    `  ${figure.holds ? 'holds ' : 'MISSED'}  ${figure.what}: ${figure.target}`,
    `          ours  ${figure.ours}`,
    ...(figure.peer === undefined ? [] : [`          peer  ${figure.peer}`]),
  ])
  return [title, ...lines].join('\n')
}
