import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'puppeteer-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Everything that axe-core finds on the page as it is: rules of WCAG 2.2 A and AA, and its own. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(source)
  const results = (await page.evaluate('axe.run(document)')) as AxeResults
  if (results.passes.length < 10) throw new Error('axe-core has looked at next to nothing')
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
}
