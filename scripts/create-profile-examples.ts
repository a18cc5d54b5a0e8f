// Generates the examples in docs/profile from one run of the testbed. Prints the pages that are out
// of date; with --write it writes them.

import { dirname } from 'node:path'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'
import { createPages } from './profile/examples/create-pages.ts'

const pages = Object.fromEntries(await createPages(dirname(import.meta.dirname)))
reportProblems(keepGenerated(pages), 'The examples of the profile match a run of the testbed.')
