import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import {
  broken,
  type CheckLevel,
  endCheck,
  endedWith,
  type Finding,
  held,
  inconclusive,
} from './check.ts'

/** What an HTTP status says of a request: a 429, a 5xx or a time-out is no refusal. */
export type AnswerClass = 'accepted' | 'refused' | 'overloaded' | 'outage' | 'timed-out'

/** Sorts a status; redirections count as accepted, since the request was acted upon. */
export function classifyStatus(status: number): AnswerClass {
  if (status === 429 || status === 503) return 'overloaded'
  if (status === 408 || status === 504) return 'timed-out'
  if (status >= 500) return 'outage'
  return status >= 400 ? 'refused' : 'accepted'
}

const whatItSays: Readonly<Record<AnswerClass, string>> = {
  accepted: 'was accepted',
  refused: 'was refused',
  overloaded: 'met an overload, which is no verdict',
  outage: "met a server's fault, which is no verdict",
  'timed-out': 'met a time-out, which is no verdict',
}

/** What a refusal has to look like. */
export interface ExpectedRefusal {
  /** By default any 4xx that is a refusal. */
  readonly statuses?: readonly number[]
  /** How much another 4xx weighs, where that is less than the check: it did refuse. */
  readonly statusLevel?: CheckLevel
  /** Values of the member `error`; by default any. */
  readonly errors?: readonly string[]
  /** How much another error weighs, where that is less than the check: it did refuse. */
  readonly errorLevel?: CheckLevel
  /** What was refused, for the reason: `The token request with a wrong code`. */
  readonly what: string
  /** Where the verdict is seen; by default the HTTP status. */
  readonly verdictSource?: string
}

/** What an answer says where a refusal is demanded. */
export function findRefusal(
  answer: Pick<HttpAnswer, 'method' | 'url' | 'status' | 'json'>,
  expected: ExpectedRefusal,
): Finding {
  const { what, statuses, statusLevel, errors, errorLevel } = expected
  const { method, url, status } = answer
  const kind = classifyStatus(status)
  const verdictSource = expected.verdictSource ?? `HTTP status of ${method} ${pathOf(url)}`
  const told = `${what} ${whatItSays[kind]}: HTTP ${status}`
  // What stands before a system, to log people in or to change its address, knows nothing of requests.
  if (isRedirect(status)) {
    const reason = `${tellRedirect(what, status)}. It neither accepts nor refuses.`
    return inconclusive(reason, { verdictSource })
  }
  if (kind === 'accepted') {
    return broken(told, { verdictSource, expected: statuses ?? 'a 4xx', actual: status })
  }
  if (kind !== 'refused') return inconclusive(told, { verdictSource })
  if (statuses && !statuses.includes(status)) {
    return broken(`${told}, where ${statuses.join(' or ')} is due`, {
      verdictSource,
      expected: statuses,
      actual: status,
      ...(statusLevel && { level: statusLevel }),
    })
  }
  const error = errorOf(answer)
  if (errors && !errors.includes(String(error))) {
    return broken(`${told}, with the error ${error}, where ${errors.join(' or ')} is due`, {
      verdictSource,
      expected: errors,
      actual: error,
      ...(errorLevel && { level: errorLevel }),
    })
  }
  return held(`${told}${error === undefined ? '' : ` ${error}`}`, { verdictSource })
}

/** All but 303, which says that what was asked for has been done. */
const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 303

const tellRedirect = (what: string, status: number) =>
  `${what} was answered with a redirect, which the kit does not follow: HTTP ${status}`

/** The value of the member `error` of a JSON answer, where it is a text. */
export function errorOf({ json }: Pick<HttpAnswer, 'json'>): string | undefined {
  if (typeof json !== 'object' || json === null || !('error' in json)) return undefined
  return typeof json.error === 'string' ? json.error : undefined
}

/**
 * Goes on only with an answer of the due status: overload, outage and time-out end the check as
 * inconclusive, any other status as broken. Gives the answer back.
 */
export function requireAnswer(answer: HttpAnswer, what: string, statuses = [200]): HttpAnswer {
  const { method, url, status, text } = answer
  if (statuses.includes(status)) return answer
  const kind = classifyStatus(status)
  const verdictSource = `HTTP status of ${method} ${pathOf(url)}`
  const told = isRedirect(status)
    ? tellRedirect(what, status)
    : `${what} ${whatItSays[kind]}: HTTP ${status}`
  if (kind === 'accepted' || kind === 'refused') {
    const details = { verdictSource, expected: statuses, actual: status }
    endCheck(broken(`${told} ${text.slice(0, 300)}`.trimEnd(), details))
  }
  endCheck(inconclusive(told, { verdictSource }))
}

/** As {@link requireAnswer}, and its body is a JSON object, whatever its content type. */
export function requireJson(
  answer: HttpAnswer,
  what: string,
  statuses = [200],
): Record<string, unknown> {
  const { json, contentType } = requireAnswer(answer, what, statuses)
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
    return json as Record<string, unknown>
  }
  const actual = contentType || 'no content type'
  endCheck(broken(`${what}: the answer is no JSON object`, { expected: 'a JSON object', actual }))
}

/** What somebody else's error says of a request: there was no answer, or one with a status. */
function classifyError(error: unknown): AnswerClass | undefined {
  if (!(error instanceof TestbedError)) return undefined
  if (error.code === 'no_answer' || error.code === 'unreachable') return 'timed-out'
  const { answer } = error.extra as { answer?: { status?: unknown } }
  return typeof answer?.status === 'number' ? classifyStatus(answer.status) : undefined
}

const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : url)

/**
 * What an error says of the system under test: an expectation that did not hold or a message that
 * the kit's wallet had to refuse is broken; no answer, overload, outage and a redirect are inconclusive.
 * Undefined for a fault of the kit itself.
 */
export function findingOfError(error: unknown): Finding | undefined {
  const ended = endedWith(error)
  if (ended) return ended
  if (!isTestbedError(error)) return undefined
  const { code, message, extra } = error
  const kind = classifyError(error)
  if (kind !== undefined && kind !== 'accepted' && kind !== 'refused') return inconclusive(message)
  // Somewhere else may be whatever stands before the system: it has neither accepted nor refused.
  if (code === 'redirect_refused') return inconclusive(message)
  const { expected, actual } = extra
  if (code === 'expectation_failed') return broken(message, { expected, actual })
  const failures = extra.failures as readonly VerificationFailure[] | undefined
  return broken(`${message} (${code})`, { ...(failures && { failures }), actual: extra.answer })
}

/**
 * Waits for something that a check rests on without being about it: where it fails, the check
 * decides nothing, for others are about that. `what` names it: `redeeming an offer`.
 */
export async function asPremise<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const finding = findingOfError(error)
    if (finding === undefined) throw error
    const told = what.charAt(0).toUpperCase() + what.slice(1)
    endCheck(inconclusive(`${told} went wrong, and this rests on it: ${finding.reason}`))
  }
}

/**
 * The JSON object of an answer that a check rests on without being about it: where it is another
 * answer or none, nothing is decided. `what` names the answer, and `premise` what it is for.
 */
export const jsonAsPremise = (
  what: string,
  answering: Promise<HttpAnswer>,
  premise: string = what,
): Promise<Record<string, unknown>> =>
  asPremise(
    premise,
    answering.then((answer) => requireJson(answer, what)),
  )
