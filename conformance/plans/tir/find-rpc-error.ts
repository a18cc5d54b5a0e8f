import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import { broken, type Finding, held, inconclusive } from '../../kit/finding.ts'

export interface ExpectedRpcError {
  /** What was wrong: `A request without from`. */
  readonly what: string
  /** One, or several that are as good. */
  readonly code: number | readonly number[]
}

const internalError = -32603
const verdictSource = 'error of the JSON-RPC answer'

/**
 * What an answer says where an error of JSON-RPC is due. An internal error is as little a refusal as
 * a 5xx without one.
 */
export function findRpcError(answer: HttpAnswer, { what, code }: ExpectedRpcError): Finding {
  const { status, json } = answer
  const { error, result } = (json ?? {}) as { error?: { code?: unknown }; result?: unknown }
  const actual = error?.code
  const due = [code].flat()
  if (due.some((each) => each === actual)) {
    return held(`${what} was refused with ${actual}`, { verdictSource })
  }
  if (result !== undefined) {
    const reason = `${what} was accepted`
    return broken(reason, { verdictSource, expected: code, actual: result })
  }
  const kind = classifyStatus(status)
  const isOutage = kind !== 'accepted' && kind !== 'refused'
  if (actual === internalError || (isOutage && actual === undefined)) {
    const met = actual === internalError ? `error ${internalError}` : `HTTP ${status}`
    return inconclusive(`${what} met a server's fault (${met}), which is no verdict`)
  }
  const found = actual === undefined ? `HTTP ${status} without a JSON-RPC error` : `${actual}`
  return broken(`${what} was answered with ${found}, where ${due.join(' or ')} is due`, {
    verdictSource,
    expected: code,
    actual: actual ?? answer.text.slice(0, 300),
  })
}
