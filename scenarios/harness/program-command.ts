import { extname } from 'node:path'

/** Only the npm package holds compiled modules. */
const isPackage = extname(import.meta.filename) === '.js'

/** How to call the program, for messages: in a clone, or in a project that installed the package. */
export const programCommand = isPackage ? 'npx lear-testbed' : 'bin/testbed'

/** How to start a testbed that keeps running. */
export const startCommand = isPackage ? 'npx lear-testbed up' : 'npm start'

/** A word as a POSIX shell takes it, quoted where it has to be. */
const quote = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** A command line of the program, to be typed in a shell. */
export const createCommand = (...args: readonly string[]): string =>
  [programCommand, ...args.map(quote)].join(' ')
