import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, type Finding, held, inconclusive } from '../../kit/finding.ts'

/**
 * Sends what a client may send by mistake or in bad faith: none of it may be answered as a fault of
 * the server's own. 429, 503 and 504 are an overload or an outage, which is no verdict. Before it a
 * check has to see a request with nothing wrong succeed: what is not there has no faults either.
 */
export async function findNoServerError(
  requests: Readonly<Record<string, () => Promise<HttpAnswer>>>,
): Promise<Finding> {
  for (const [what, send] of Object.entries(requests)) {
    const { method, url, status } = await send()
    const told = `${what} was answered with HTTP ${status} by ${method} ${url}`
    if ([429, 503, 504].includes(status)) return inconclusive(told)
    if (status >= 500) {
      return broken(told, { verdictSource: 'HTTP status', expected: 'a 4xx', actual: status })
    }
  }
  return held(`None of ${Object.keys(requests).length} hostile requests was answered with a 5xx`)
}
