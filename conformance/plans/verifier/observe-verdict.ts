import { isDeepStrictEqual } from 'node:util'
import { query } from 'jsonpath-rfc9535'
import { screenshotOf } from '#scenarios/harness/z-person-question.ts'
import { classifyStatus, outageOf } from '../../kit/classify-answer.ts'
import { callVerb } from '../../targets/adapters/call-verb.ts'
import type { PlaceholderValues } from '../../targets/adapters/fill-placeholders.ts'
import {
  accepted,
  combineVerdicts,
  httpStatus,
  type Observation,
  pollStatus,
  redirectParameter,
  refused,
  silence,
  undecided,
  type VerdictSource,
  verbOutcome,
} from '../../targets/verdict-sources.ts'
import type { AdapterBase, OpenedRequest, PostAnswer } from './context.ts'
import type { VerifierTarget } from './z-target.ts'

const responseSource = 'HTTP status of the response endpoint'
const longestAfterRefusal = 1000

/**
 * Observes the verdict about a presentation. It is `refused` only if a source says so, or after a
 * 4xx of the response endpoint without a later acceptance. No answer, an overload and an outage
 * leave it undecided, unless the presentation was accepted anyway.
 */
export async function observeVerdict(
  target: VerifierTarget,
  opened: OpenedRequest,
  answer: PostAnswer,
  base: AdapterBase,
): Promise<Observation> {
  const { verdict } = target
  const limit = (verdict.withinSeconds ?? 5) * 1000
  const kind = answer.status === 0 ? 'timed-out' : classifyStatus(answer.status)
  const patience = kind === 'accepted' ? limit : Math.min(limit, longestAfterRefusal)
  // Silence after a rejection, an overload or no answer adds no information.
  const silenceRefuses = verdict.silence === 'refused' && kind === 'accepted'
  const sources = sourcesOf(target, opened, base)
  const observed = await combineVerdicts(
    [
      ...sources,
      ...(verdict.response ? [httpStatus(responseSource, answer, verdict.response)] : []),
      ...(verdict.redirect ? [redirectParameter(answer.redirectUri, verdict.redirect)] : []),
      ...(verdict.person ? [answerOfPerson(base)] : []),
      ...(silenceRefuses ? [silence(limit / 1000)] : []),
    ],
    // The silence ends the other sources, and must not be cut short.
    silenceRefuses ? base.signal : endsAfter(patience, base),
  )
  if (observed.verdict === 'accepted' || observed.isContradiction) return observed
  const source = `${responseSource} = ${answer.status}`
  if (kind === 'refused') return refused(source, answer.reason)
  if (kind !== 'accepted') {
    const unanswered = answer.status === 0 ? { isUnanswered: true as const } : {}
    return { ...undecided(source, answer.reason), ...outageOf(answer.status), ...unanswered }
  }
  return observed.verdict === 'refused'
    ? confirmRefusal(target, opened, observed, { sources, ...base })
    : observed
}

const endsAfter = (milliseconds: number, { signal }: AdapterBase) =>
  AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])

/** Returns what the sources report now. */
export const readVerdict = (target: VerifierTarget, opened: OpenedRequest, base: AdapterBase) =>
  combineVerdicts(sourcesOf(target, opened, base), AbortSignal.abort())

/**
 * Checks that a rejected session is not accepted later, and adds the verifier's reasons if known.
 */
async function confirmRefusal(
  target: VerifierTarget,
  opened: OpenedRequest,
  observed: Observation,
  { sources, ...base }: AdapterBase & { readonly sources: readonly VerdictSource[] },
): Promise<Observation> {
  const again = await combineVerdicts(sources, AbortSignal.abort())
  if (again.verdict === 'accepted') return again
  const { explanation, poll } = target.verdict
  // The reasons of a repetition are not reported.
  if (!explanation || base.isRepetition) return observed
  const { call, path } = explanation
  const isPolled = poll !== undefined && isDeepStrictEqual(call, callOf(poll))
  const { json } = isPolled ? again : await callVerb(call, 'explanation', valuesOf(opened), base)
  const reasons = json === undefined ? [] : query(json as Parameters<typeof query>[0], path)
  const names = [...new Set(reasons.map(String))]
  return names.length === 0
    ? observed
    : { ...observed, reason: `${observed.reason} (${names.join(', ')})` }
}

/** The call of a poll, without what it says about the verdict. */
const callOf = ({ url, headers }: NonNullable<VerifierTarget['verdict']['poll']>) => ({
  url,
  ...(headers && { headers }),
})

/** The sources that can be read at any time. */
function sourcesOf(
  { verdict: { poll, command } }: VerifierTarget,
  opened: OpenedRequest,
  base: AdapterBase,
): VerdictSource[] {
  const values = valuesOf(opened)
  return [
    ...(poll ? [pollStatus(poll, { exchanges: base.exchanges, values })] : []),
    ...(command ? [verbOutcome('verdict', () => callVerb(command, 'verdict', values, base))] : []),
  ]
}

/** The answer of a person who watches the verifier; asked once for each presentation. */
function answerOfPerson({ askPerson, exchanges, signal }: AdapterBase): VerdictSource {
  const name = 'a person'
  return {
    name,
    async observe() {
      // The patience for other sources is too short for a person.
      const reply = await askPerson?.({ verb: 'watch' }, signal)
      if (reply === undefined) return undecided(name, 'The person did not respond.')
      exchanges.attach(screenshotOf('Screenshot of the verifier', reply))
      const note = reply.note === '' ? '.' : `: ${reply.note}`
      if (reply.did === 'accepted') {
        return accepted(name, `The person saw that it was accepted${note}`)
      }
      if (reply.did === 'refused') {
        return refused(name, `The person saw that it was rejected${note}`)
      }
      return undecided(name, `The person saw neither${note}`)
    },
  }
}

function valuesOf({ session, parameters, link }: OpenedRequest): PlaceholderValues {
  const text = (name: string) => {
    const value = parameters[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    session,
    state: text('state'),
    client_id: text('client_id'),
    response_uri: text('response_uri'),
    request_uri: URL.parse(link)?.searchParams.get('request_uri') ?? undefined,
  }
}
