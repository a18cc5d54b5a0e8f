import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import { answersEverything } from '../../kit/answers-everything.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import { fetchOrNoAnswer } from '../../kit/fetch-or-no-answer.ts'
import { broken, type Finding, held, inconclusive } from '../../kit/finding.ts'

/** Whether the interactive documentation is at an address, as a browser finds it. */
export async function findDocumentation(
  { fetch }: Pick<HttpClient, 'fetch'>,
  address: string,
): Promise<Finding> {
  const browser = createHttpBrowser([], {}, fetchOrNoAnswer(fetch))
  const page = await browser.get(address)
  const { url, status, headers } = page
  const kind = classifyStatus(status)
  const contentType = headers.get('content-type') ?? 'none'
  const told = `The interactive documentation: HTTP ${status} at ${url}, content type ${contentType}`
  if (kind !== 'accepted' && kind !== 'refused') return inconclusive(told)
  const isPage = status === 200 && /^(text\/html|application\/xhtml)/.test(contentType)
  if (isPage && (await answersEverything(browser, page))) {
    return inconclusive(`${told}; but the same page is at an address where nothing is`)
  }
  return isPage
    ? held(told)
    : broken(told, { expected: 'HTTP 200 with an HTML page', actual: status })
}
