import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Figure, Table } from '../harness.ts'

/** What a process did since the last time it was asked, as the probe counts it. */
export interface Counts {
  /** Milliseconds of processor time. */
  cpu: number
  /** Milliseconds of it inside SQLite. */
  sqlite: number
  /** Requests that the process answered, by method and path. */
  answered: Record<string, number>
  /** Requests that it sent, by method and path. */
  sent: Record<string, number>
  /** Bytes of the answered exchanges on the sockets, both directions, with headers. */
  bytes: number
  /** SQL statements, by their text. */
  statements: Record<string, number>
  /** Signatures made. */
  signed: number
  /** Signatures verified. */
  verified: number
}

/** Options of Node that load the probe before the program. */
export const probeOptions = ['--import', new URL('probe.ts', import.meta.url).href]

/** What a process with the probe did since the last call; waits for exchanges in flight. */
export async function readCounts(child: ChildProcess): Promise<Counts> {
  child.send({ probe: true })
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ counts?: Counts }]
    if (message.counts !== undefined) return message.counts
  }
}

/** Adds up counts, for example of the same step in many logins. */
export function sumCounts(all: readonly Counts[]): Counts {
  const sumOf = (read: (counts: Counts) => number) =>
    all.reduce((sum, counts) => sum + read(counts), 0)
  const sumEach = (read: (counts: Counts) => Record<string, number>) => {
    const sums: Record<string, number> = {}
    for (const counts of all) {
      for (const [key, value] of Object.entries(read(counts))) sums[key] = (sums[key] ?? 0) + value
    }
    return sums
  }
  return {
    cpu: sumOf(({ cpu }) => cpu),
    sqlite: sumOf(({ sqlite }) => sqlite),
    answered: sumEach(({ answered }) => answered),
    sent: sumEach(({ sent }) => sent),
    bytes: sumOf(({ bytes }) => bytes),
    statements: sumEach(({ statements }) => statements),
    signed: sumOf(({ signed }) => signed),
    verified: sumOf(({ verified }) => verified),
  }
}

/** The sum of the counts of all keys that the predicate accepts. */
export const total = (
  counter: Readonly<Record<string, number>>,
  accepts: (key: string) => boolean = () => true,
): number =>
  Object.entries(counter).reduce((all, [key, value]) => all + (accepts(key) ? value : 0), 0)

/** Adds up the counts of requests that have the same route. */
export function groupByRoute(counter: Readonly<Record<string, number>>): Record<string, number> {
  const groups: Record<string, number> = {}
  for (const [request, value] of Object.entries(counter)) {
    const route = routeOf(request)
    groups[route] = (groups[route] ?? 0) + value
  }
  return groups
}

/** `GET /identifiers/{did}` for the request of any DID: no query, and names for identifiers. */
export function routeOf(request: string): string {
  const [method = '', target = ''] = request.split(' ')
  const { pathname } = new URL(target, 'http://localhost')
  const segments = decodeURIComponent(pathname)
    .split('/')
    .map((segment) => {
      if (segment.startsWith('did:')) return '{did}'
      if (/^\d+$/.test(segment)) return '{number}'
      return /^(?=.*\d|.*[A-Z])[\w-]{16,}$/.test(segment) ? '{id}' : segment
    })
  return `${method} ${segments.join('/')}`
}

/** What a statement does to the data. */
export function kindOf(statement: string): 'reads' | 'writes' | 'transactions' {
  const [verb = ''] = statement.toLowerCase().split(/\s/, 1)
  if (verb === 'select' || verb === 'with') return 'reads'
  return ['insert', 'update', 'delete', 'replace'].includes(verb) ? 'writes' : 'transactions'
}

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
