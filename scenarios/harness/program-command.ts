import { extname } from 'node:path'

/** Only the npm package holds compiled modules. */
const isPackage = extname(import.meta.filename) === '.js'

/** How to call the program, for messages: in a clone, or in a project that installed the package. */
export const programCommand = isPackage ? 'npx lear-testbed' : 'bin/testbed'

/** How to start a testbed that keeps running. */
export const startCommand = isPackage ? 'npx lear-testbed up' : 'npm start'
