import { createHash, randomInt } from 'node:crypto'
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { type DidEnvironment, didPrefixes } from '#core/did/did-org.ts'
import { unusableDatabaseFile } from '#kit/errors.ts'
import { serviceParts } from '#testbed/process/ports.ts'
import { folderUnusable } from './errors.ts'
import type { DatabaseOwner } from './lock-database.ts'
import { writeFileAtomically } from './secrets.ts'

/** Without user and password. */
const describeDatabase = (url: string) => url.replace(/^\w+:\/\/([^@/]*@)?|\?.*$/g, '')

const fileName = 'manifest.json'

const zManifest = z.object({
  version: z.literal(1),
  /** Also stored in every database of the folder. */
  id: z.number().int().positive(),
  /** Number of the last healthy start; 0 before the first one. */
  run: z.number().int().nonnegative(),
  /** Digest of the seed. */
  seed: z.string(),
  /** The PostgreSQL database with the records, by host, port and name. */
  database: z.string().optional(),
  /** Files that a start requires. */
  files: z.array(z.string()),
  /** First bytes of the chain journals, which only ever grow. */
  journals: z.record(z.string(), z.object({ bytes: z.number().int(), crc32: z.number().int() })),
})

type Contents = z.infer<typeof zManifest>

/** Where a testbed keeps state outside its folder. */
export interface ManifestOptions {
  readonly environments: readonly DidEnvironment[]
  readonly chainRpcUrl?: string | undefined
  readonly databaseUrl?: string | undefined
}

/** Records the parts of a data folder, so that a missing part is always reported. */
export interface Manifest {
  /** Of the data folder. */
  readonly id: number
  /**
   * @throws TestbedError `data_folder_mismatch` if the database is not the folder's, or is older
   */
  checkDatabase(owner: DatabaseOwner): void
  /** Records the current parts, once every service is healthy. */
  complete(setOwner?: (owner: DatabaseOwner) => Promise<void>): Promise<void>
  /** Records the length of the chain journals; call it when the chains have ended. */
  close(): void
}

const stateFiles = new Set(['chain.journal', ...serviceParts.map((part) => `${part}.sqlite`)])

/** @throws the system's error for a file that exists, but cannot be read */
function exists(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Files of an environment that only a testbed writes. */
const listState = (folder: string) => readdirSync(folder).filter((file) => stateFiles.has(file))

const didEnvironments = Object.keys(didPrefixes) as DidEnvironment[]

/** The databases of an environment in testbed 0.1.0. */
const databaseNames = [
  'api-keys',
  'connector',
  'idp',
  'issuer',
  'management',
  'token-issuer',
  'verifier',
]

/** Digest of the seed; `openSecrets` reports unreadable secrets. */
function digestSeed(folder: string): string | undefined {
  try {
    const { seed } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))
    return createHash('sha256').update(String(seed)).digest('base64url')
  } catch {
    return undefined
  }
}

function readManifest(folder: string): Contents | undefined {
  const path = join(folder, fileName)
  if (!exists(path)) return undefined
  try {
    return zManifest.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw folderUnusable(
      folder,
      'manifest_damaged',
      `${fileName} cannot be read, or was written by a newer testbed.`,
      `Restore ${fileName} from a copy of the folder.`,
    )
  }
}

function describeJournal(path: string, bytes?: number) {
  const beginning = readFileSync(path).subarray(0, bytes)
  return { bytes: beginning.length, crc32: crc32(beginning) }
}

/** Two numbers in the file's header that SQLite reserves for applications. */
function readMarks(path: string): { id: unknown; run: number } {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const read = (pragma: string) =>
      Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]
    return { id: read('application_id'), run: Number(read('user_version')) }
  } finally {
    database.close()
  }
}

function openDatabase(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 })
  } catch (error) {
    throw unusableDatabaseFile(path, basename(path, '.sqlite'), error)
  }
}

async function writeMarks(path: string, id: number, run: number): Promise<void> {
  const database = openDatabase(path)
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        // One transaction: each waits for the disk.
        database.exec(
          `begin immediate; pragma application_id = ${id}; pragma user_version = ${run}; commit`,
        )
        return
      } catch (error) {
        // A transaction of the service, which may be in this process: wait until it ends.
        if ((error as { errcode?: number }).errcode !== 5 || attempt === 1000) {
          throw unusableDatabaseFile(path, basename(path, '.sqlite'), error)
        }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
  } finally {
    database.close()
  }
}

/** Without a manifest: the files of testbed 0.1.0, which always had all of these. */
function checkUnlisted(folder: string, options: ManifestOptions): void {
  const environments = didEnvironments.filter((name) => exists(join(folder, name)))
  const found = environments.flatMap((name) =>
    listState(join(folder, name)).map((file) => join(name, file)),
  )
  if (found.length === 0) return
  const databases = options.databaseUrl === undefined ? databaseNames : []
  const wanted = [
    'secrets.json',
    ...environments.flatMap((name) => [
      ...(options.chainRpcUrl === undefined ? [join(name, 'chain.journal')] : []),
      ...databases.map((database) => join(name, `${database}.sqlite`)),
    ]),
  ]
  for (const file of wanted) if (!exists(join(folder, file))) missing(folder, file)
}

function missing(folder: string, file: string): never {
  throw folderUnusable(
    folder,
    'data_folder_incomplete',
    `${file} is missing.`,
    `Restore ${file} from a copy of the folder.`,
  )
}

function checkFile(folder: string, file: string, { id, run, journals }: Contents): void {
  const path = join(folder, file)
  const restore = `Restore ${file} from a copy of the folder.`
  if (!exists(path)) missing(folder, file)
  const journal = journals[file]
  if (journal !== undefined) {
    const now = describeJournal(path, journal.bytes)
    if (now.bytes < journal.bytes) {
      const problem = `${file} is shorter than after the last start: it was truncated, or it is the journal of another chain.`
      throw folderUnusable(folder, 'data_folder_mismatch', problem, restore)
    }
    if (now.crc32 !== journal.crc32) {
      const problem = `${file} is the journal of another chain, or was modified.`
      throw folderUnusable(folder, 'data_folder_mismatch', problem, restore)
    }
  }
  if (!file.endsWith('.sqlite')) return
  let marks: ReturnType<typeof readMarks>
  try {
    marks = readMarks(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw folderUnusable(folder, 'database_damaged', `${file} cannot be read (${reason}).`, restore)
  }
  if (marks.id !== id) {
    throw folderUnusable(
      folder,
      'data_folder_mismatch',
      `${file} belongs to another data folder.`,
      restore,
    )
  }
  if (marks.run < run) {
    const problem = `${file} is older than the rest of the folder.`
    throw folderUnusable(folder, 'data_folder_mismatch', problem, restore)
  }
}

/**
 * Checks a data folder against its manifest, before anything is opened: a start without one of the
 * parts would create that part again, and its contents would be lost. Accepts a folder of testbed
 * 0.1.0 if it is complete.
 * @throws TestbedError `data_folder_incomplete`, `data_folder_mismatch`, `database_damaged`,
 * `manifest_damaged`; the system's error for a file that cannot be read
 *
 * @assumption A-70
 */
export function openManifest(folder: string, options: ManifestOptions): Manifest {
  const { environments, chainRpcUrl, databaseUrl } = options
  const database = databaseUrl === undefined ? undefined : describeDatabase(databaseUrl)
  const found = readManifest(folder)
  if (found === undefined) checkUnlisted(folder, options)
  const contents: Contents = found ?? {
    version: 1,
    id: randomInt(1, 2 ** 31),
    run: 0,
    seed: '',
    database,
    files: [],
    journals: {},
  }
  const isUsed = (file: string) => {
    const environment = didEnvironments.find((name) => file.startsWith(join(name, '/')))
    if (environment !== undefined && !environments.includes(environment)) return false
    return !(file in contents.journals) || chainRpcUrl === undefined
  }
  if (contents.run > 0) {
    for (const file of contents.files.filter(isUsed)) checkFile(folder, file, contents)
    const seed = digestSeed(folder)
    if (seed !== undefined && seed !== contents.seed) {
      throw folderUnusable(
        folder,
        'data_folder_mismatch',
        'secrets.json belongs to another data folder.',
        'Restore secrets.json from a copy of the folder.',
      )
    }
    // The database contains its own identity: its address may have changed.
    if ((contents.database === undefined) !== (database === undefined)) {
      const kept = contents.database ?? 'SQLite files in the folder'
      const restore =
        contents.database === undefined ? 'Omit --database-url.' : 'Specify it with --database-url.'
      throw folderUnusable(folder, 'data_folder_mismatch', `the records are in ${kept}.`, restore)
    }
  }
  const write = (changed: Contents) => {
    writeFileAtomically(join(folder, fileName), `${JSON.stringify(changed, null, 2)}\n`)
  }
  // An aborted first start leaves an incomplete folder, whose contents no client has seen.
  if (found === undefined && !exists(join(folder, 'secrets.json'))) write(contents)

  let completed: Contents | undefined
  const journalsOf = (files: readonly string[]) =>
    Object.fromEntries(
      files
        .filter((file) => file.endsWith('chain.journal') && exists(join(folder, file)))
        .map((file) => [file, describeJournal(join(folder, file))]),
    )
  return {
    id: contents.id,
    checkDatabase(owner) {
      if (contents.run === 0 || contents.database === undefined) return
      const restore =
        'Restore the database from a copy, or specify the right one with --database-url.'
      if (owner.folder_id !== contents.id) {
        const problem = `the database ${database} does not contain its records.`
        throw folderUnusable(folder, 'data_folder_mismatch', problem, restore)
      }
      if (owner.run < contents.run) {
        const problem = `the database ${database} is older than the rest of the folder.`
        throw folderUnusable(folder, 'data_folder_mismatch', problem, restore)
      }
    },
    async complete(setOwner) {
      const run = contents.run + 1
      const shared = ['secrets.json', ...(database === undefined ? ['mail.sqlite'] : [])]
      const own = environments.flatMap((name) =>
        exists(join(folder, name))
          ? listState(join(folder, name)).map((file) => join(name, file))
          : [],
      )
      const current = [...shared, ...own].filter(isUsed)
      const databases = current.filter((file) => file.endsWith('.sqlite'))
      // Before the manifest is written: a start in between finds newer databases, not older ones.
      await Promise.all(databases.map((file) => writeMarks(join(folder, file), contents.id, run)))
      await setOwner?.({ folder_id: contents.id, run })
      completed = {
        ...contents,
        run,
        seed: digestSeed(folder) ?? '',
        database,
        files: [...new Set([...contents.files, ...current])].toSorted(),
        journals: { ...contents.journals, ...journalsOf(current) },
      }
      write(completed)
    },
    close() {
      if (completed === undefined) return
      const journals = { ...completed.journals, ...journalsOf(completed.files.filter(isUsed)) }
      write({ ...completed, journals })
    },
  }
}
