import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'puppeteer-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns the findings of axe-core on the page: rules of WCAG 2.2 A and AA, also the size of targets,
 * which axe-core omits by default, and axe-core's best practices.
 */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(source)
  const results = (await page.evaluate(
    'axe.run(document, { rules: { "target-size": { enabled: true } } })',
  )) as AxeResults
  if (results.passes.length < 10) throw new Error('axe-core has looked at next to nothing')
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
}

/** Returns the elements that reach beyond the window's right edge, if the page scrolls sideways. */
async function findSidewaysScroll(page: Page): Promise<string[]> {
  const wide = await page.evaluate(`
    document.documentElement.scrollWidth <= innerWidth ? [] : [
      document.documentElement.scrollWidth + ' pixels',
      ...[...document.querySelectorAll('body *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth)
        .map((element) => element.cloneNode().outerHTML),
    ]`)
  return wide as string[]
}

/** Checks a page with axe-core and for sideways scrolling, on a phone and a desktop, light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [width, value] of [
    [360, 'light'],
    [1280, 'dark'],
  ] as const) {
    await page.setViewport({ width, height: 800 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
    expect([width, value, await findAccessibilityProblems(page)]).toEqual([width, value, []])
    expect([width, await findSidewaysScroll(page)]).toEqual([width, []])
  }
}
