import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const zFinding = z.strictObject({
  id: z.string(),
  title: z.string(),
  level: z.string().optional(),
  verdict: z.string(),
  /** What was found where it did not pass, in a sentence without what differs from run to run. */
  reason: z.string().optional(),
  /** The same of other cases of the check that failed. */
  also: z.array(z.string()).optional(),
})

const zDialect = z.strictObject({
  kind: z.string(),
  members: z.array(
    z.strictObject({
      path: z.string(),
      follows: z.string(),
      documents: z.string().optional(),
    }),
  ),
})

/**
 * The recorded behaviour of a system, kept next to it so that a later run can be compared
 * with it.
 */
const zRecord = z.strictObject({
  /** When it was run. */
  date: z.iso.date(),
  /** The commit that last changed the kit by then. */
  kitRevision: z.string(),
  /** Version of each package of theirs. */
  versions: z.record(z.string(), z.string()),
  findings: z.array(zFinding),
  dialect: z.array(zDialect),
})

export type RecordedRun = z.infer<typeof zRecord>
export type RecordedFinding = RecordedRun['findings'][number]

/** What came of a run. */
export type Observed = Pick<RecordedRun, 'findings' | 'dialect'>

/** Verdicts as reports have them, in the order in which tables show them. */
export const verdictWords: Readonly<Record<string, string>> = {
  passed: 'PASS',
  failed: 'FAIL',
  warned: 'WARN',
  inconclusive: 'INCONCLUSIVE',
}

export const foreignFolder = join(import.meta.dirname, '..')

/** What was recorded of a system. */
export async function readRecord(name: string): Promise<RecordedRun> {
  const text = await readFile(join(foreignFolder, name, 'recorded.json'), 'utf8')
  return zRecord.parse(JSON.parse(text))
}

/** What of a run is not as recorded, a sentence each: verdicts, and the forms of messages. */
export function compareRuns(recorded: RecordedRun, observed: RecordedRun): string[] {
  return [
    ...compare(verdictsOf(recorded), verdictsOf(observed)),
    ...compare(formsOf(recorded), formsOf(observed)),
  ]
}

const verdictsOf = ({ findings }: RecordedRun) =>
  new Map(findings.map(({ id, verdict }) => [id, verdict]))

const formsOf = ({ dialect }: RecordedRun) =>
  new Map(
    dialect.flatMap(({ kind, members }) =>
      members.map(({ path, follows }) => [`${kind} ${path}, ${follows}`, 'sent'] as const),
    ),
  )

function compare(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const names = [...new Set([...before.keys(), ...now.keys()])]
  return names
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => `${name}: was ${before.get(name) ?? 'not there'}, is ${now.get(name) ?? 'not'}`)
}
