import { isDeepStrictEqual } from 'node:util'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { broken, type Finding, held, inconclusive } from '../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  type ExpectedRefusal,
  findRefusal,
  outageOf,
} from '../../kit/classify-answer.ts'
import type { IssuerContext } from './context.ts'
import type { OfferKind } from './make-offer.ts'
import { redeem } from './redeeming.ts'

/** The controls `offer` and `pin-offer`: a conformant wallet gets the offered credential. */
export async function findServed(context: IssuerContext, kind?: OfferKind): Promise<Finding> {
  const { wallet, resolved, token } = await redeem(context, { kind })
  const { metadata, offered } = resolved
  for (const entry of offered) {
    const request = { metadata, entry, ...token }
    await asPremise('serving a conformant wallet', requestCredential(wallet, request))
  }
  return held('A conformant wallet gets the offered credential.')
}

/**
 * Evaluates the answer to a request that must be rejected. The profile does not fix error codes for
 * wallets: a code that OpenID4VCI does not have is only of level `final`.
 */
export const findWalletRefusal = (
  answer: Pick<HttpAnswer, 'method' | 'url' | 'status' | 'json'>,
  expected: Omit<ExpectedRefusal, 'errorLevel'>,
): Finding => findRefusal(answer, { ...expected, errorLevel: 'final' })

/**
 * Evaluates the answer to a valid message, which must be accepted.
 * @param details of a rejection, if they are not those of the check
 */
export function findAcceptance(
  { method, url, status, text }: HttpAnswer,
  what: string,
  details: Pick<Finding, 'level' | 'fix'> = {},
): Finding {
  const verdictSource = `HTTP status of ${method} ${new URL(url).pathname}`
  const kind = classifyStatus(status)
  if (kind === 'accepted') return held(`${what} is accepted.`, { verdictSource })
  const observed = `${what} was answered with HTTP ${status}`
  if (kind !== 'refused') {
    return inconclusive(`${observed}, which is not a verdict.`, {
      verdictSource,
      ...outageOf(status),
    })
  }
  return broken(`${observed}: ${text.slice(0, 300)}`, {
    expected: 'a success',
    actual: status,
    verdictSource,
    ...details,
  })
}

/**
 * A place in code: `app.js:12`, `Parser.java:34`, `app.py", line 7`, `app.cs:line 7`, and in PHP
 * `app.php(12)`, `app.php on line 12` or the same in HTML.
 */
const placeInCode =
  /\.(?:(?:[cm]?[jt]s|java|kt|py|go|rb|cs|php)(?::(?:line )?\d+|", line \d+)|php(?:\(\d+\)|(?:<\/b>)? on line (?:<b>)?\d+))/

/** A rejection must not contain a stack trace; undefined if it does not. */
export function findStackTrace({ text, url }: HttpAnswer, what: string): Finding | undefined {
  const [actual] = placeInCode.exec(text) ?? []
  if (actual === undefined) return undefined
  const verdictSource = `the response of ${new URL(url).pathname}`
  const details = { actual, verdictSource, level: 'practice' } as const
  return broken(`${what} was rejected, but the response contains a stack trace.`, details)
}

/** True if a string of the answer contains the message: its form is not specified, nor its end. */
const containsMessage = (value: unknown, message: string): boolean =>
  typeof value === 'string'
    ? value.includes(message)
    : typeof value === 'object' &&
      value !== null &&
      Object.values(value).some((each) => containsMessage(each, message))

/**
 * Evaluates an answer that must be 400 with exactly this message; the profile does not fix
 * its place.
 */
export function findDocumentedRefusal(answer: HttpAnswer, what: string, message: string): Finding {
  const finding = findRefusal(answer, { what, statuses: [400] })
  if (finding.kind !== 'held') return finding
  if (containsMessage(answer.json ?? answer.text, message)) return finding
  return broken(`${what} was rejected, but the response does not contain the documented message`, {
    expected: message,
    actual: answer.json ?? answer.text.slice(0, 300),
    verdictSource: `the response of ${new URL(answer.url).pathname}`,
  })
}

/** The body of a rejected Bearer token (profile/issuer, Errors). */
export const documentedUnauthorized = { error: 'Unauthorized', detail: 'invalid token' }

/** Evaluates an answer that must be 401 with the documented body for a Bearer token. */
export function findUnauthorized(answer: HttpAnswer, what: string): Finding {
  const finding = findRefusal(answer, { what, statuses: [401] })
  if (finding.kind !== 'held') return finding
  const { error, detail } = (answer.json ?? {}) as Record<string, unknown>
  if (isDeepStrictEqual({ error, detail }, documentedUnauthorized)) return finding
  return broken(`${what} was rejected, but not with the documented body`, {
    expected: documentedUnauthorized,
    actual: answer.json ?? answer.text.slice(0, 300),
    verdictSource: `the response of ${new URL(answer.url).pathname}`,
  })
}
