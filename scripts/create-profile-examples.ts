// Generates the examples in docs/profile from one run of the testbed. Prints the pages that are out
// of date; with --write it writes them.

import { dirname } from 'node:path'
import { keepGenerated } from './checks/keep-generated.ts'
import { createPages } from './profile/examples/create-pages.ts'

const root = dirname(import.meta.dirname)
const problems = keepGenerated(Object.fromEntries(await createPages(root)))
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1
