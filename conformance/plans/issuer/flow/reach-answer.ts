import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { asPremise, requireAnswer } from '../../../kit/classify-answer.ts'

/** As `reach`, for a request that has to succeed before the point of a check. */
export function reachAnswer(what: string, answering: Promise<HttpAnswer>): Promise<HttpAnswer> {
  const statuses = [200, 202]
  return asPremise(
    what,
    answering.then((answer) => requireAnswer(answer, what, statuses)),
  )
}
