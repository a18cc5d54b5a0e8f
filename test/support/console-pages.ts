import type { Page } from 'puppeteer-core'
import { expect } from 'vitest'
import { findAccessibilityProblems } from './accessibility.ts'

/**
 * Checks the open page of the console for each kind of reader: in both languages, on a phone and on
 * a desktop, light and dark. It must be accessible and must not scroll sideways.
 */
export async function expectReadable(page: Page): Promise<void> {
  for (const language of ['es', 'en']) {
    const address = new URL(page.url())
    address.searchParams.set('lang', language)
    await page.goto(address.href)
    for (const width of [390, 1280]) {
      await page.setViewport({ width, height: 800 })
      for (const value of ['light', 'dark']) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
        const reader = [address.pathname, language, width, value]
        const problems = await findAccessibilityProblems(page)
        expect([...reader, problems]).toEqual([...reader, []])
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        expect([...reader, isTooWide]).toEqual([...reader, false])
      }
    }
  }
}

const mostStops = 120

/** Moves the focus by the Tab key to the element; it must show the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(`(() => {
      const element = document.activeElement
      if (!element?.matches(${JSON.stringify(selector)})) return undefined
      return { isShown: getComputedStyle(element).outlineStyle !== 'none' }
    })()`)
    if (focused === undefined) continue
    expect([selector, focused]).toEqual([selector, { isShown: true }])
    return
  }
  throw new Error(`${mostStops} tab stops do not include ${selector}`)
}
