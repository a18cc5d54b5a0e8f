import type { Page } from 'puppeteer-core'

export interface TakeScreenshotOptions {
  /** The whole page, also what is not to be seen without scrolling. */
  readonly fullPage?: boolean
}

/** What a page shows; as WebP, a quarter of the size of PNG, since a report holds many. */
export function takeScreenshot(
  page: Page,
  { fullPage = false }: TakeScreenshotOptions = {},
): Promise<Uint8Array> {
  return page.screenshot({ type: 'webp', quality: 80, fullPage })
}
