import type { Page } from 'puppeteer-core'
import { expect } from 'vitest'
import { findAccessibilityProblems } from './find-accessibility-problems.ts'

/** Holds a page, on a phone by day and a desk by night, against axe-core and sideways scrolling. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [width, value] of [
    [360, 'light'],
    [1280, 'dark'],
  ] as const) {
    await page.setViewport({ width, height: 800 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
    expect([width, value, await findAccessibilityProblems(page)]).toEqual([width, value, []])
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  }
}
