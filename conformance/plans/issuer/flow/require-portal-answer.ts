import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { endCheck, inconclusive } from '../../../kit/check.ts'
import { requireAnswer } from '../../../kit/classify-answer.ts'

/**
 * As `requireAnswer`, where the target's own Bearer token was sent: one that is not taken may be the
 * fault of whoever wrote the target file.
 */
export function requirePortalAnswer(answer: HttpAnswer, what: string): HttpAnswer {
  const { status } = answer
  if (status !== 401 && status !== 403) return requireAnswer(answer, what)
  const told = `${what} was refused: HTTP ${status}`
  endCheck(inconclusive(`${told}. Is the token good that create-bearer-token of the target gives?`))
}
