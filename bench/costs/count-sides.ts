import type { Figure, Table } from '../harness.ts'
import { type Counts, groupByRoute, kindOf, total } from './counts.ts'

/** One side of a contest, with the probe, in a process that is not measured otherwise. */
export interface CountedSide {
  readonly name: string
  /** One operation. */
  run(index: number): Promise<unknown>
  readCounts(): Promise<Counts>
}

const warmUp = 5
const rounds = 20

/** Counts what each side does in one operation. */
export async function countSides(
  unit: string,
  sides: readonly CountedSide[],
): Promise<readonly (Figure | Table)[]> {
  const counted: { name: string; counts: Counts }[] = []
  for (const { name, run, readCounts } of sides) {
    for (let index = 0; index < warmUp; index++) await run(index)
    await readCounts()
    for (let index = 0; index < rounds; index++) await run(warmUp + index)
    counted.push({ name, counts: await readCounts() })
  }
  return describeSides(unit, counted, rounds)
}

const registries = /identifiers|attributes|status/

/**
 * Whether the first peer makes as many exchanges and look-ups as the first side, and a table of all
 * counts.
 */
export function describeSides(
  unit: string,
  sides: readonly { readonly name: string; readonly counts: Counts }[],
  rounds: number,
): readonly (Figure | Table)[] {
  const each = (value: number) => (value / rounds).toFixed(1)
  const lookupsOf = ({ sent }: Counts) =>
    total(sent, (request) => request.startsWith('GET ') && registries.test(request))
  const agree = (what: string, read: (counts: Counts) => number): Figure => {
    const [ours = '', peer = ''] = sides.map(({ counts }) => each(read(counts)))
    return { what: `${what} of ${unit}`, ours, peer, target: 'as many', holds: ours === peer }
  }
  const statements = (counts: Counts, kind: ReturnType<typeof kindOf>) =>
    each(total(counts.statements, (text) => kindOf(text) === kind))
  return [
    agree('exchanges', ({ answered }) => total(answered)),
    agree('look-ups', lookupsOf),
    {
      title: `what the sides do in ${unit}`,
      columns: [
        'side',
        'exchanges',
        'look-ups',
        'SQL reads',
        'SQL writes',
        'signed',
        'verified',
        'kB',
      ],
      rows: sides.map(({ name, counts }) => [
        name,
        each(total(counts.answered)),
        each(lookupsOf(counts)),
        statements(counts, 'reads'),
        statements(counts, 'writes'),
        each(counts.signed),
        each(counts.verified),
        each(counts.bytes / 1000),
      ]),
    },
    ...sides.map(({ name, counts }): Table => {
      const routes = Object.entries(groupByRoute(counts.answered))
      return {
        title: `exchanges of ${unit}: ${name}`,
        columns: ['count', 'exchange'],
        rows: routes.map(([route, count]) => [each(count), route]),
      }
    }),
  ]
}
