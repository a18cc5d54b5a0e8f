import { TestbedError } from '#core/errors/testbed-error.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'

export const cannotMakeFolder = (folder: string, cause: NodeJS.ErrnoException) =>
  new TestbedError({
    code: 'data_folder_refused',
    status: 500,
    message: `The data folder ${folder} cannot be created (${cause.code}).`,
    hints: ['Choose a writable folder with --data DIR.'],
    cause,
  })

export const folderInUse = (folder: string, pid: number) =>
  new TestbedError({
    code: 'data_folder_in_use',
    status: 500,
    message: `A testbed is already using the data folder ${folder} (process ${pid}).`,
    hints: [
      'Stop it first, with Ctrl-C in its terminal.',
      'A second testbed needs a separate folder and ports (--data DIR --port-base N).',
    ],
  })

/** A data folder that does not match its manifest. */
export const folderUnusable = (folder: string, code: string, problem: string, restore: string) =>
  new TestbedError({
    code,
    status: 500,
    message: `The data folder ${folder} cannot be used: ${problem}`,
    hints: [
      restore,
      `Or delete its contents: ${programCommand} reset --data ${folder}`,
      'Or use another data folder (--data DIR).',
    ],
  })

export const secretsDamaged = (path: string, cause: unknown) =>
  new TestbedError({
    code: 'secrets_damaged',
    status: 500,
    message: `The file ${path} does not contain valid secrets of the testbed.`,
    hints: ['Restore it from a copy, or use a new data folder (--data DIR).'],
    cause,
  })

export const seedMismatch = (folder: string | undefined) =>
  new TestbedError({
    code: 'seed_mismatch',
    status: 500,
    message: `The data folder ${folder} was created with a different seed.`,
    hints: ['Omit --seed, or choose another folder with --data DIR.'],
  })

const newDatabaseHint =
  'Create a database for this testbed (createdb NAME), and specify it with --database-url.'

/** `holder` describes the other testbed, if known. */
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
    hints: [newDatabaseHint, 'Or use that data folder (--data DIR).'],
  })
