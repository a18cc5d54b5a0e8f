import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { Finding } from '../../kit/check.ts'
import { broken, endCheck, held, inconclusive, wronglyAccepted } from '../../kit/check.ts'
import { asPremise, classifyStatus, requireJson } from '../../kit/classify-answer.ts'
import type { WrongRequests } from '../registries/findings.ts'

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
    const details = { verdictSource, expected: code, actual: result }
    return wronglyAccepted(`${what} was accepted`, details)
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

/** A control: a request with nothing wrong has a result. */
export async function findAnswered(answering: Promise<HttpAnswer>): Promise<Finding> {
  const what = 'A request with nothing wrong'
  await asPremise(
    what,
    answering.then((answer) => requireResult(answer, what)),
  )
  return held(`${what} has a result`)
}

/** Sends one wrong request after the other, until one is not answered with this code. */
export async function findEachRpcError(
  requests: WrongRequests,
  code: number | readonly number[],
): Promise<Finding> {
  for (const [wrong, send] of Object.entries(requests)) {
    const finding = findRpcError(await send(), { what: `A request with ${wrong}`, code })
    if (finding.kind !== 'held') return finding
  }
  const all = Object.keys(requests)
  return held(
    `${all.length} were refused with ${[code].flat().join(' or ')}, those with: ${all.join('; ')}`,
  )
}

/** A JSON-RPC 2.0 request of the TIR: params is an array that holds one object. */
export function rpcRequest(method: string, parameters: object, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, params: [parameters] }
}
