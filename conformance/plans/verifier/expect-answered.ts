import { classifyStatus } from '../../kit/classify-answer.ts'
import { broken, type Finding, held, inconclusive } from '../../kit/finding.ts'
import type { VerifierContext } from './context.ts'
import type { PresentationCase } from './presentation-case.ts'

const verdictSource = 'HTTP status of the response endpoint'

/** Each of these posts has to be answered with 200; overload, outage and no answer decide nothing. */
export async function expectAnswered(
  { openRequest, present }: VerifierContext,
  cases: readonly PresentationCase[],
): Promise<Finding> {
  for (const each of cases) {
    const { status, reason } = await present(await openRequest(), each)
    if (status === 200) continue
    const kind = status === 0 ? 'timed-out' : classifyStatus(status)
    if (kind !== 'accepted' && kind !== 'refused') {
      return inconclusive(`${each.what} ${reason}`, { verdictSource })
    }
    return broken(`${each.what} It was answered with ${status}, and not with 200.`, {
      verdictSource,
      expected: 200,
      actual: status,
    })
  }
  const told = cases.map(({ what }) => what).join(' ')
  return held(`Each was answered with 200: ${told}`, { verdictSource })
}
