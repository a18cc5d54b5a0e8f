import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { Finding } from '../../kit/check.ts'
import { broken, endCheck, held, inconclusive, wronglyAccepted } from '../../kit/check.ts'
import { asPremise, classifyStatus, outageOf, requireJson } from '../../kit/classify-answer.ts'
import { findEach } from '../../kit/find-each.ts'
import type { WrongRequests } from '../registries/findings.ts'

export interface ExpectedRpcError {
  /** What was wrong: `A request without from`. */
  readonly what: string
  /** The expected code, or several allowed codes. */
  readonly code: number | readonly number[]
}

/** The code of an internal error of JSON-RPC, which is not a verdict, like a 5xx. */
export const internalError = -32603
const verdictSource = 'error of the JSON-RPC response'

/**
 * Evaluates an answer that must be a JSON-RPC error. An internal error is not a rejection, like a
 * plain 5xx.
 */
export function findRpcError(answer: HttpAnswer, { what, code }: ExpectedRpcError): Finding {
  const { status, json } = answer
  const { error, result } = (json ?? {}) as { error?: { code?: unknown }; result?: unknown }
  const actual = error?.code
  const expectedCodes = [code].flat()
  if (expectedCodes.some((each) => each === actual)) {
    return held(`${what} was rejected with ${actual}`, { verdictSource })
  }
  if (result !== undefined) {
    const details = { verdictSource, expected: code, actual: result }
    return wronglyAccepted(`${what} was accepted`, details)
  }
  const kind = classifyStatus(status)
  const isOutage = kind !== 'accepted' && kind !== 'refused'
  if (actual === internalError || (isOutage && actual === undefined)) {
    const met = actual === internalError ? `error ${internalError}` : `HTTP ${status}`
    const reason = `${what} failed with a server error (${met}), which is not a verdict`
    return inconclusive(reason, actual === internalError ? { isOutage: true } : outageOf(status))
  }
  const found = actual === undefined ? `HTTP ${status} without a JSON-RPC error` : `${actual}`
  return broken(
    `${what} was answered with ${found}, but ${expectedCodes.join(' or ')} is expected`,
    {
      verdictSource,
      expected: code,
      actual: actual ?? answer.text.slice(0, 300),
    },
  )
}

/**
 * The result of an answer that must be a success; otherwise the check ends.
 * @param doubt why the call may be rejected although it is valid
 */
export function requireResult(answer: HttpAnswer, what: string, doubt?: string): unknown {
  if (answer.status === 401 || answer.status === 403) {
    const refusal = `${what} was rejected: HTTP ${answer.status}`
    endCheck(inconclusive(`${refusal}. Is the apiKey in the target file correct?`))
  }
  const { result, error } = requireJson(answer, what, [200])
  if (result !== undefined) return result
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const failure = `${what} was answered with the error ${code}: ${message}`
  if (code === internalError) endCheck(inconclusive(failure, { isOutage: true }))
  if (doubt !== undefined) endCheck(inconclusive(`${failure}. ${doubt}`))
  endCheck(broken(failure, { actual: answer.json }))
}

/** A control: a valid request returns a result. */
export async function findAnswered(answering: Promise<HttpAnswer>): Promise<Finding> {
  const what = 'A valid request'
  await asPremise(
    what,
    answering.then((answer) => requireResult(answer, what)),
  )
  return held(`${what} returned a result`)
}

/** Sends each wrong request: all of them must be rejected with this code. */
export async function findEachRpcError(
  requests: WrongRequests,
  code: number | readonly number[],
): Promise<Finding> {
  const finding = await findEach(Object.entries(requests), async ([wrong, send]) =>
    findRpcError(await send(), { what: `A request with ${wrong}`, code }),
  )
  if (finding.kind !== 'held') return finding
  const all = Object.keys(requests)
  return held(
    `${all.length} requests were rejected with ${[code].flat().join(' or ')}, those with: ${all.join('; ')}`,
  )
}

/** A JSON-RPC 2.0 request of the TIR: params is an array with one object. */
export function rpcRequest(method: string, parameters: object, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, params: [parameters] }
}
