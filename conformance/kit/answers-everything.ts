import { randomUUID } from 'node:crypto'
import type { HttpBrowser, HttpPage } from '#scenarios/harness/http-browser.ts'

/**
 * Whether the page at an address that nobody has is the same: many servers show one page wherever
 * there is nothing, and it says nothing about the address that was asked for.
 */
export async function answersEverything(
  browser: Pick<HttpBrowser, 'get'>,
  { url, status, text }: Pick<HttpPage, 'url' | 'status' | 'text'>,
): Promise<boolean> {
  const nowhere = new URL(url)
  nowhere.pathname = `${nowhere.pathname.replace(/\/$/, '')}-${randomUUID()}`
  const other = await browser.get(nowhere.href)
  return other.status === status && other.text === text
}
