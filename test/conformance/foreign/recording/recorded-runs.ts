import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { foreignFolder } from './observe-system.ts'
import { type RecordedRun, zRecord } from './z-record.ts'

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
