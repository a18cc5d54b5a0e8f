import type { z } from 'zod'
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

/** What an HTTP status says about a request: a 429, a 5xx or a timeout is not a rejection. */
export type AnswerClass = 'accepted' | 'refused' | 'overloaded' | 'outage' | 'timed-out'

/** Classifies a status. Redirects count as accepted, since the server acted upon the request. */
export function classifyStatus(status: number): AnswerClass {
  if (status === 429 || status === 503) return 'overloaded'
  if (status === 408 || status === 504) return 'timed-out'
  if (status >= 500) return 'outage'
  return status >= 400 ? 'refused' : 'accepted'
}

const whatItSays: Readonly<Record<AnswerClass, string>> = {
  accepted: 'was accepted',
  refused: 'was rejected',
  overloaded: 'failed with an overload, which is not a verdict',
  outage: 'failed with a server error, which is not a verdict',
  'timed-out': 'timed out, which is not a verdict',
}

/** What a rejection must look like. */
export interface ExpectedRefusal {
  /** By default any 4xx that counts as a rejection. */
  readonly statuses?: readonly number[]
  /** The level of a rejection with another 4xx, if lower than that of the check. */
  readonly statusLevel?: CheckLevel
  /** Values of the member `error`; by default any. */
  readonly errors?: readonly string[]
  /** The level of a rejection with another error, if lower than that of the check. */
  readonly errorLevel?: CheckLevel
  /** What was rejected, for the reason: `The token request with a wrong code`. */
  readonly what: string
  /** Where the verdict is observed; by default the HTTP status. */
  readonly verdictSource?: string
}

/** Evaluates an answer to a message that must be rejected. */
export function findRefusal(
  answer: Pick<HttpAnswer, 'method' | 'url' | 'status' | 'json'>,
  expected: ExpectedRefusal,
): Finding {
  const { what, statuses, statusLevel, errors, errorLevel } = expected
  const { method, url, status } = answer
  const kind = classifyStatus(status)
  const verdictSource = expected.verdictSource ?? `HTTP status of ${method} ${pathOf(url)}`
  const observed = `${what} ${whatItSays[kind]}: HTTP ${status}`
  // The redirect may come from a proxy that logs people in or changes the address.
  if (isRedirect(status)) {
    const reason = `${describeRedirect(what, status)}. It neither accepts nor rejects.`
    return inconclusive(reason, { verdictSource })
  }
  if (kind === 'accepted') {
    return broken(observed, { verdictSource, expected: statuses ?? 'a 4xx', actual: status })
  }
  if (kind !== 'refused') return inconclusive(observed, { verdictSource, ...outageOf(status) })
  if (statuses && !statuses.includes(status)) {
    return broken(`${observed}, but ${statuses.join(' or ')} is expected`, {
      verdictSource,
      expected: statuses,
      actual: status,
      ...(statusLevel && { level: statusLevel }),
    })
  }
  const error = errorOf(answer)
  if (errors && !errors.includes(String(error))) {
    const named = error === undefined ? 'without an error in JSON' : `with the error ${error}`
    return broken(`${observed}, ${named}, but ${errors.join(' or ')} is expected`, {
      verdictSource,
      expected: errors,
      actual: error,
      ...(errorLevel && { level: errorLevel }),
    })
  }
  return held(`${observed}${error === undefined ? '' : ` ${error}`}`, { verdictSource })
}

/** All but 303, which says that the request has been carried out. */
const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 303

const describeRedirect = (what: string, status: number) =>
  `${what} was answered with a redirect, which the kit does not follow: HTTP ${status}`

/** The member `error` of a JSON answer, if it is a string. */
export function errorOf({ json }: Pick<HttpAnswer, 'json'>): string | undefined {
  if (typeof json !== 'object' || json === null || !('error' in json)) return undefined
  return typeof json.error === 'string' ? json.error : undefined
}

/**
 * Continues only with an answer of the expected status: overload, outage and timeout end the check
 * as inconclusive, any other status as broken. Returns the answer.
 */
export function requireAnswer(answer: HttpAnswer, what: string, statuses = [200]): HttpAnswer {
  const { method, url, status, text } = answer
  if (statuses.includes(status)) return answer
  const kind = classifyStatus(status)
  const verdictSource = `HTTP status of ${method} ${pathOf(url)}`
  const observed = isRedirect(status)
    ? describeRedirect(what, status)
    : `${what} ${whatItSays[kind]}: HTTP ${status}`
  if (kind === 'accepted' || kind === 'refused') {
    const details = { verdictSource, expected: statuses, actual: status }
    endCheck(broken(`${observed} ${text.slice(0, 300)}`.trimEnd(), details))
  }
  endCheck(inconclusive(observed, { verdictSource, ...outageOf(status) }))
}

/** Marks an HTTP 500. Other 5xx come from proxies and overload as well. */
export const outageOf = (status: unknown): Pick<Finding, 'isOutage'> =>
  status === 500 ? { isOutage: true } : {}

/** As {@link requireAnswer}, and its body must be a JSON object, regardless of its content type. */
export function requireJson(
  answer: HttpAnswer,
  what: string,
  statuses = [200],
): Record<string, unknown> {
  const { json, contentType } = requireAnswer(answer, what, statuses)
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
    return json as Record<string, unknown>
  }
  requireNoByteOrderMark(answer, what)
  const actual = contentType || 'no content type'
  endCheck(
    broken(`${what}: the response is not a JSON object`, { expected: 'a JSON object', actual }),
  )
}

/** Ends the check if JSON begins with a byte order mark, which no report would show. */
export function requireNoByteOrderMark({ text }: HttpAnswer, what: string): void {
  if (!/^\ufeff\s*[[{]/.test(text)) return
  endCheck(
    broken(`${what}: the response begins with a byte order mark`, {
      expected: 'JSON without a byte order mark (RFC 8259, 8.1)',
      actual: JSON.stringify(text.slice(0, 20)).replace('\ufeff', '\\ufeff'),
      fix: 'Send JSON without a byte order mark: save source files and templates as UTF-8 without one.',
    }),
  )
}

/** What another error says about a request: there was no answer, or one with a status. */
function classifyError(error: unknown): AnswerClass | undefined {
  if (!(error instanceof TestbedError)) return undefined
  if (error.code === 'no_answer' || error.code === 'unreachable') return 'timed-out'
  const { answer } = error.extra as { answer?: { status?: unknown } }
  return typeof answer?.status === 'number' ? classifyStatus(answer.status) : undefined
}

const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : url)

/**
 * What an error says about the system under test: an expectation that failed or a message that
 * the kit's wallet had to reject is broken; no answer, overload, outage and a redirect are
 * inconclusive. Undefined for a fault of the kit itself.
 */
export function findingOfError(error: unknown): Finding | undefined {
  const ended = endedWith(error)
  if (ended) return ended
  if (!isTestbedError(error)) return undefined
  const { code, message, extra } = error
  const kind = classifyError(error)
  if (kind !== undefined && kind !== 'accepted' && kind !== 'refused') {
    const { answer } = extra as { answer?: { status?: unknown } }
    return inconclusive(message, outageOf(answer?.status))
  }
  // The redirect may come from a proxy in front of the system: it has neither accepted nor
  // rejected.
  if (code === 'redirect_refused') return inconclusive(message)
  const { expected, actual } = extra
  if (code === 'expectation_failed') return broken(message, { expected, actual })
  const failures = extra.failures as readonly VerificationFailure[] | undefined
  return broken(`${message} (${code})`, { ...(failures && { failures }), actual: extra.answer })
}

/**
 * As {@link findingOfError}, for an error that says something about the system under test.
 * @throws the error if it is an internal error in the kit
 */
export function requireFinding(error: unknown): Finding {
  const finding = findingOfError(error)
  if (finding === undefined) throw error
  return finding
}

/**
 * Waits for something that a check depends on but does not test. If it fails, the check is
 * inconclusive, because other checks test that. `what` names it: `redeeming an offer`.
 */
export async function asPremise<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const finding = requireFinding(error)
    // What the premise itself depends on says more than the premise.
    if (finding.isBlocked) endCheck(inconclusive(finding.reason, { isBlocked: true }))
    const subject = what.charAt(0).toUpperCase() + what.slice(1)
    const isNamed = finding.reason.toLowerCase().startsWith(`${what.toLowerCase()} `)
    const reason = isNamed
      ? `This check depends on something that failed: ${finding.reason}`
      : `${subject} failed, and this check depends on it: ${finding.reason}`
    endCheck(inconclusive(reason, { isBlocked: true }))
  }
}

/**
 * Waits for the answer to a message that the profile neither requires nor forbids. Even a repeated
 * HTTP 500 must not fail a check, so it is only inconclusive.
 */
export async function asUnusual<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const finding = requireFinding(error)
    endCheck(finding.isOutage ? inconclusive(finding.reason) : finding)
  }
}

/**
 * The JSON object of an answer that a check depends on but does not test. Any other answer, or
 * none, makes the check inconclusive. `what` names the answer, and `premise` what it is for.
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

/** What a schema rejects in an answer: `credentials_supported.0.id: has a duplicate id; …`. */
export const problemsIn = ({ issues }: z.core.$ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
