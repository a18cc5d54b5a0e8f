import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import { endCheck, inconclusive } from '../../kit/finding.ts'

/** Ends the check where an answer is none of the system's own: overload, outage, time-out. */
export function requireVerdict(answer: HttpAnswer): HttpAnswer {
  const { method, url, status } = answer
  const kind = classifyStatus(status)
  if (kind === 'accepted' || kind === 'refused') return answer
  endCheck(inconclusive(`${method} ${url} was answered with HTTP ${status}, which is no verdict`))
}
