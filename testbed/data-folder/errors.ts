import { TestbedError } from '#core/errors/testbed-error.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'

export const cannotMakeFolder = (folder: string, cause: NodeJS.ErrnoException) =>
  new TestbedError({
    code: 'data_folder_refused',
    status: 500,
    message: `The data folder ${folder} cannot be made (${cause.code}).`,
    hints: ['Give a folder that can be written to with --data DIR.'],
    cause,
  })

export const folderInUse = (folder: string, pid: number) =>
  new TestbedError({
    code: 'data_folder_in_use',
    status: 500,
    message: `A testbed is already running on the data folder ${folder} (process ${pid}).`,
    hints: ['Stop it first, or start this one on a folder of its own (--data DIR --port-base N).'],
  })

/** A data folder that is not what its manifest says. */
export const folderUnusable = (folder: string, code: string, problem: string, restore: string) =>
  new TestbedError({
    code,
    status: 500,
    message: `The data folder ${folder} cannot be used: ${problem}`,
    hints: [
      restore,
      `Or give up what it holds: ${programCommand} reset --data ${folder}`,
      'Or start on another data folder (--data DIR).',
    ],
  })

export const secretsDamaged = (path: string, cause: unknown) =>
  new TestbedError({
    code: 'secrets_damaged',
    status: 500,
    message: `The file ${path} cannot be read as the testbed's secrets.`,
    hints: ['Restore it from a copy, or start on a new data folder (--data DIR).'],
    cause,
  })

export const seedMismatch = (folder: string | undefined) =>
  new TestbedError({
    code: 'seed_mismatch',
    status: 500,
    message: `The data folder ${folder} was made with another seed.`,
    hints: ['Leave --seed out, or give another folder with --data DIR.'],
  })

const newDatabaseHint =
  'Create a database for this testbed (createdb NAME), and give it with --database-url.'

/** `holder` describes the other testbed, as far as it is known. */
export const databaseInUse = (server: string, holder?: string) =>
  new TestbedError({
    code: 'database_in_use',
    status: 500,
    message: `The database ${server} is in use by another testbed${holder ? ` (${holder})` : ''}.`,
    hints: [`Stop that testbed. Or: ${newDatabaseHint}`],
  })

export const databaseOfAnotherTestbed = (server: string, holder: string) =>
  new TestbedError({
    code: 'database_of_another_testbed',
    status: 500,
    message: `The database ${server} holds the records of another testbed (${holder}).`,
    hints: [newDatabaseHint, 'Or start on that data folder (--data DIR).'],
  })
