import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Results } from '#scenarios/harness/z-results.ts'
import { createJunit } from './create-junit.ts'
import { createPage } from './create-page.ts'
import { createSummary } from './create-summary.ts'

/**
 * Writes `results.json`, `junit.xml`, `summary.md` and `index.html` into a folder, which is made
 * where it is missing. Each file appears whole or not at all. Gives the paths.
 */
export async function writeReports(folder: string, results: Results): Promise<string[]> {
  const files = {
    'results.json': `${JSON.stringify(results, undefined, 2)}\n`,
    'junit.xml': createJunit(results),
    'summary.md': createSummary(results),
    'index.html': createPage(results),
  }
  await mkdir(folder, { recursive: true })
  return Promise.all(
    Object.entries(files).map(async ([name, content]) => {
      const path = join(folder, name)
      await writeFile(`${path}.part`, content)
      await rename(`${path}.part`, path)
      return path
    }),
  )
}
