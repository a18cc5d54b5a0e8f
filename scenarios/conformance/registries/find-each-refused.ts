import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { type ExpectedRefusal, findRefusal } from '../classify-answer.ts'
import { type Finding, held } from '../finding.ts'

/** Requests by what is wrong with them, to follow `A request with`: `no did`. */
export type WrongRequests = Readonly<Record<string, () => Promise<HttpAnswer>>>

/** Sends one wrong request after the other, until one of them is not refused as it has to be. */
export async function findEachRefused(
  requests: WrongRequests,
  expected: Omit<ExpectedRefusal, 'what'>,
): Promise<Finding> {
  for (const [wrong, send] of Object.entries(requests)) {
    const finding = findRefusal(await send(), { ...expected, what: `A request with ${wrong}` })
    if (finding.kind !== 'held') return finding
  }
  const all = Object.keys(requests)
  return held(`${all.length} were refused, those with: ${all.join('; ')}`)
}
