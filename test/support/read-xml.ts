import type { Browser } from 'puppeteer-core'

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly children: readonly XmlElement[]
}

// It runs in the browser, whose types are no part of this program.
const reader = `(xml) => {
  const parsed = new DOMParser().parseFromString(xml, 'application/xml')
  const problem = parsed.querySelector('parsererror')
  if (problem) throw new Error(problem.textContent)
  const read = (node) => ({
    name: node.tagName,
    attributes: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
    text: node.textContent,
    children: [...node.children].map(read),
  })
  return read(parsed.documentElement)
}`

/** Reads XML with a browser's parser; rejects where it is not well-formed. */
export async function readXml(browser: Browser, xml: string): Promise<XmlElement> {
  const page = await browser.newPage()
  try {
    return (await page.evaluate(`(${reader})(${JSON.stringify(xml)})`)) as XmlElement
  } finally {
    await page.close()
  }
}
