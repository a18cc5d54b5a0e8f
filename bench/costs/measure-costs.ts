import { readFile } from 'node:fs/promises'
import type { Base, Measurement, Say, Step, Table } from '../harness.ts'
import { prepareFlows, type TestbedFlows } from '../testbed-flows.ts'
import { here, type TestbedProcess, withTestbed } from '../testbed-process.ts'
import { type Counts, groupByRoute, kindOf, sumCounts, total } from './counts.ts'

const warmUp = 60
const rounds = 100

type Flow = keyof TestbedFlows

/** What each step of one kind of flow cost, summed over all rounds. */
export interface StepCosts {
  readonly name: string
  readonly counts: Counts
  /** Milliseconds for the client. */
  readonly wall: number
}

/** The costs of one issuance, step by step, in a complete testbed. */
export const measureIssuanceCost: Measurement = (say, base) => measureCosts('issue', say, base)

/** The costs of one login, step by step, in a complete testbed. */
export const measureLoginCost: Measurement = (say, base) => measureCosts('logIn', say, base)

async function measureCosts(flow: Flow, say: Say, base?: Base) {
  const sides = [{ revision: '', root: here }, ...(base === undefined ? [] : [base])]
  const tables: Table[] = []
  for (const { revision, root } of sides) {
    const title = `${flow === 'logIn' ? 'login' : 'issuance'}${revision && ` at ${revision}`}`
    tables.push(
      ...(await withTestbed({ root, probe: true }, async (testbed) => {
        say(`${title}: ${warmUp} to warm up, ${rounds} measured`)
        const flows = await prepareFlows(testbed)
        for (let count = 0; count < warmUp; count++) await flows[flow]()
        const before = await readChainTime(testbed.pid)
        const steps = await countSteps(testbed, flows[flow])
        const chain = (await readChainTime(testbed.pid)) - before
        const described = describeCosts(title, steps, rounds, chain)
        // Of another revision, only its costs: the page is part of the package.
        return revision === '' ? described : described.slice(0, 1)
      })),
    )
  }
  return tables
}

/** Runs the flow one at a time, so that everything that happens belongs to the current step. */
async function countSteps(
  testbed: TestbedProcess,
  run: (step: Step) => Promise<unknown>,
): Promise<readonly StepCosts[]> {
  const seen = new Map<string, { counts: Counts[]; wall: number }>()
  await testbed.readCounts()
  const asking = (await testbed.readCounts()).cpu
  const step: Step = async (name, work) => {
    const costs = seen.get(name) ?? { counts: [], wall: 0 }
    seen.set(name, costs)
    const began = performance.now()
    const result = await work()
    costs.wall += performance.now() - began
    const counts = await testbed.readCounts()
    costs.counts.push({ ...counts, cpu: counts.cpu - asking })
    return result
  }
  for (let round = 0; round < rounds; round++) await run(step)
  return [...seen].map(([name, { counts, wall }]) => ({ name, counts: sumCounts(counts), wall }))
}

/** Milliseconds of processor time of the process of the chain. */
async function readChainTime(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const ticks = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map(async (child) => {
        // The second field is the name in parentheses, which may contain spaces.
        const fields = (await readFile(`/proc/${child}/stat`, 'utf8')).split(') ')[1]?.split(' ')
        return Number(fields?.[11]) + Number(fields?.[12])
      }),
  )
  return ticks.reduce((sum, value) => sum + value, 0) * 10
}

/** The table of the steps, and the tables of their exchanges and SQL statements. */
export function describeCosts(
  title: string,
  steps: readonly StepCosts[],
  rounds: number,
  chain: number,
): readonly Table[] {
  const each = (value: number, digits = 0) => (value / rounds).toFixed(digits)
  const row = (name: string, counts: Counts, wall: number) => {
    const statements = (kind: ReturnType<typeof kindOf>) =>
      each(
        total(counts.statements, (text) => kindOf(text) === kind),
        1,
      )
    return [
      name,
      each(counts.cpu, 2),
      each(counts.sqlite, 2),
      each(wall, 2),
      each(total(counts.answered), 1),
      each(total(counts.sent), 1),
      statements('reads'),
      statements('writes'),
      statements('transactions'),
      each(counts.signed, 1),
      each(counts.verified, 1),
      each(counts.bytes / 1000, 1),
    ]
  }
  const all = sumCounts(steps.map(({ counts }) => counts))
  const wall = steps.reduce((sum, step) => sum + step.wall, 0)
  const details = (what: string, counter: Record<string, number>): Table => ({
    title: `${what} of one ${title}`,
    columns: ['count', what],
    rows: Object.entries(counter)
      .sort(([, one], [, other]) => other - one)
      .map(([text, count]) => [each(count, 2), `\`${text}\``]),
  })
  return [
    {
      title: `costs of one ${title}`,
      columns: [
        'step',
        'CPU ms',
        'SQLite ms',
        'wall ms',
        'exchanges',
        'sent',
        'SQL reads',
        'SQL writes',
        'begin, commit',
        'signed',
        'verified',
        'kB',
      ],
      rows: [
        ...steps.map(({ name, counts, wall }) => row(name, counts, wall)),
        row('all', all, wall),
        ['chain', each(chain, 2), ...Array(10).fill('')],
      ],
    },
    details('exchanges', groupByRoute(all.answered)),
    details('statements', all.statements),
  ]
}
