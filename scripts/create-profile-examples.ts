// Generates the examples in docs/profile from one run of the testbed. Prints the pages that are out
// of date; with --write it writes them.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createPages } from './profile/examples/create-pages.ts'

const root = dirname(import.meta.dirname)
for (const [file, page] of await createPages(root)) {
  if (readFileSync(join(root, file), 'utf8') === page) continue
  if (process.argv.includes('--write')) {
    writeFileSync(join(root, file), page)
    console.log(`${file} written.`)
  } else {
    console.log(`${file} is out of date: run node scripts/create-profile-examples.ts --write`)
    process.exitCode = 1
  }
}
