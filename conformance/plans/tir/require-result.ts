import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { requireJson } from '../../kit/classify-answer.ts'
import { broken, endCheck, inconclusive } from '../../kit/finding.ts'

/** The result of an answer that has to be a success; else the check ends. */
export function requireResult(answer: HttpAnswer, what: string): unknown {
  if (answer.status === 401 || answer.status === 403) {
    const told = `${what} was refused: HTTP ${answer.status}`
    endCheck(inconclusive(`${told}. Is the apiKey good that the target has?`))
  }
  const { result, error } = requireJson(answer, what, [200])
  if (result !== undefined) return result
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const told = `${what} was answered with the error ${code}: ${message}`
  endCheck(code === -32603 ? inconclusive(told) : broken(told, { actual: answer.json }))
}
