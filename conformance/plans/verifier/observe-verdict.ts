import { query } from 'jsonpath-rfc9535'
import { classifyStatus } from '../../kit/classify-answer.ts'
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
 * What became of a presentation. Refused is only what a source says, or a 4xx of the response
 * endpoint without an acceptance afterwards; no answer, overload and outage decide nothing, unless
 * the presentation was accepted all the same.
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
  // Silence after a refusal, an overload or no answer at all says nothing more.
  const silenceRefuses = verdict.silence === 'refused' && kind === 'accepted'
  const told = await combineVerdicts(
    [
      ...sourcesOf(target, opened, base),
      ...(verdict.response ? [httpStatus(responseSource, answer, verdict.response)] : []),
      ...(verdict.redirect ? [redirectParameter(answer.redirectUri, verdict.redirect)] : []),
      ...(verdict.person ? [personsWord(base)] : []),
      ...(silenceRefuses ? [silence({ seconds: limit / 1000 })] : []),
    ],
    // A silence ends what is asked meanwhile by itself, and is not to be cut short.
    silenceRefuses ? base.signal : endsAfter(patience, base),
  )
  if (told.verdict === 'accepted' || told.isContradiction) return told
  const source = `${responseSource} = ${answer.status}`
  if (kind === 'refused') return refused(source, answer.reason)
  if (kind !== 'accepted') return undecided(source, answer.reason)
  return told.verdict === 'refused' ? confirmRefusal(target, opened, told, base) : told
}

const endsAfter = (milliseconds: number, { signal }: AdapterBase) =>
  AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])

/** What the sources say at this moment. */
export const lookAtVerdict = (target: VerifierTarget, opened: OpenedRequest, base: AdapterBase) =>
  combineVerdicts(sourcesOf(target, opened, base), AbortSignal.abort())

/** A session that was refused must not turn out as accepted; tells why it was, where that shows. */
async function confirmRefusal(
  target: VerifierTarget,
  opened: OpenedRequest,
  told: Observation,
  base: AdapterBase,
): Promise<Observation> {
  const again = await lookAtVerdict(target, opened, base)
  if (again.verdict === 'accepted') return again
  const { explanation } = target.verdict
  if (!explanation) return told
  const { json } = await callVerb(explanation.call, 'explanation', valuesOf(opened), base)
  const reasons =
    json === undefined ? [] : query(json as Parameters<typeof query>[0], explanation.path)
  const names = [...new Set(reasons.map(String))]
  return names.length === 0 ? told : { ...told, reason: `${told.reason} (${names.join(', ')})` }
}

/** The places that can be asked at any time. */
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

/** What somebody says who sees the verifier; asked once for each presentation. */
function personsWord({ askPerson }: AdapterBase): VerdictSource {
  const name = 'a person'
  return {
    name,
    async observe() {
      const wasLetIn = await askPerson?.('Did the verifier let the holder in?')
      if (wasLetIn === undefined) return undecided(name, 'Nobody said what was to be seen.')
      return wasLetIn
        ? accepted(name, 'The holder was let in.')
        : refused(name, 'The holder was not let in.')
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
