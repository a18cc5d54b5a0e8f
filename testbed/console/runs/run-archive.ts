import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { planNames } from '#conformance/kit/check.ts'
import { type Results, zResults } from '#scenarios/harness/z-results.ts'
import { writeWhole } from '#scenarios/reports/write-reports.ts'

const zTally = z.object({
  passed: z.int(),
  failed: z.int(),
  warned: z.int(),
  inconclusive: z.int(),
  skipped: z.int(),
})

/** The content of `run.json` in the folder of a run. */
const zRunRecord = z.object({
  id: z.string(),
  kind: z.enum(['conformance', 'suites']),
  plan: z.enum(planNames).optional(),
  /** Name of the system under test, or `self`; of a suite run, the suites. */
  subject: z.string(),
  startedAt: z.iso.datetime(),
  /** `undecided`: no check failed, but too few have a result for the run to pass. */
  state: z.enum(['running', 'ended', 'undecided', 'stopped', 'failed']),
  tally: zTally,
  total: z.int().optional(),
  /** The last output of a run that failed. */
  problem: z.string().optional(),
})

export type RunRecord = z.infer<typeof zRunRecord>

/** Ids of runs are names of folders. */
export const zRunId = z.string().regex(/^\d{8}-\d{6}-[0-9a-f]{6}$/)

const mostKept = 30

/** The runs of the console and their reports, in a folder each. */
export interface RunArchive {
  /** The folder of a run, which need not exist. */
  folderOf(id: string): Promise<string>
  /** Newest first. */
  list(): Promise<readonly RunRecord[]>
  save(record: RunRecord): Promise<void>
  /** The report of a run as HTML; undefined if there is none. */
  readReport(id: string): Promise<Buffer | undefined>
  readResults(id: string): Promise<Results | undefined>
  remove(id: string): Promise<void>
  /** Deletes the oldest runs if there are too many. */
  prune(): Promise<void>
  close(): Promise<void>
}

/** @param stateFolder the folder with the state of the testbed; without it, runs end with the testbed */
export function createRunArchive(stateFolder: string | undefined): RunArchive {
  let temporary: Promise<string> | undefined
  async function folder(): Promise<string> {
    if (stateFolder !== undefined) return join(stateFolder, 'runs')
    temporary ??= mkdtemp(join(tmpdir(), 'lear-testbed-runs-'))
    return temporary
  }
  const folderOf = async (id: string) => join(await folder(), id)
  const read = async (id: string, name: string) =>
    readFile(join(await folderOf(id), name)).catch(() => undefined)

  async function readRecord(id: string): Promise<RunRecord | undefined> {
    const bytes = await read(id, 'run.json')
    try {
      return zRunRecord.parse(JSON.parse(String(bytes)))
    } catch {
      return undefined
    }
  }

  async function list(): Promise<readonly RunRecord[]> {
    const names = await readdir(await folder()).catch(() => [])
    const ids = names.filter((name) => zRunId.safeParse(name).success)
    const records = await Promise.all(ids.map(readRecord))
    return records
      .filter((record) => record !== undefined)
      .sort((one, other) => (one.id < other.id ? 1 : -1))
  }

  const remove = async (id: string) => rm(await folderOf(id), { recursive: true, force: true })

  return {
    folderOf,
    list,
    remove,
    async save(record) {
      const path = await folderOf(record.id)
      await mkdir(path, { recursive: true, mode: 0o700 })
      await writeWhole(join(path, 'run.json'), JSON.stringify(record))
    },
    readReport: (id) => read(id, 'index.html'),
    async readResults(id) {
      const bytes = await read(id, 'results.json')
      try {
        return zResults.parse(JSON.parse(String(bytes)))
      } catch {
        return undefined
      }
    },
    async prune() {
      const old = (await list()).filter(({ state }) => state !== 'running').slice(mostKept)
      for (const { id } of old) await remove(id)
    },
    async close() {
      if (temporary !== undefined) await rm(await temporary, { recursive: true, force: true })
    },
  }
}
