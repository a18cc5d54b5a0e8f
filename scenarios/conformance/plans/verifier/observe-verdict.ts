import { query } from 'jsonpath-rfc9535'
import { callVerb } from '../../adapters/call-verb.ts'
import type { PlaceholderValues } from '../../adapters/fill-placeholders.ts'
import { classifyStatus } from '../../classify-answer.ts'
import { pollStatus } from '../../verdict-sources/poll-status.ts'
import {
  accepted,
  type Observation,
  refused,
  undecided,
} from '../../verdict-sources/verdict-source.ts'
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
  const told = observeAnswer(verdict, answer) ?? (await ask(target, opened, patience, base))
  if (told.verdict === 'accepted') return told
  const source = `${responseSource} = ${answer.status}`
  if (kind === 'refused') return refused(source, answer.reason)
  if (kind !== 'accepted') return undecided(source, answer.reason)
  if (told.verdict === 'refused') return confirmRefusal(target, opened, told, base)
  if (verdict.silence !== 'refused') return told
  return refused(`silence for ${limit / 1000} s`, 'Nothing was to be seen in time.')
}

/** What the sources say at this moment. */
export const lookAtVerdict = (target: VerifierTarget, opened: OpenedRequest, base: AdapterBase) =>
  ask(target, opened, 0, base)

/** A session that was refused must not turn out as accepted; tells why it was, where that shows. */
async function confirmRefusal(
  target: VerifierTarget,
  opened: OpenedRequest,
  told: Observation,
  base: AdapterBase,
): Promise<Observation> {
  const again = await ask(target, opened, 0, base)
  if (again.verdict === 'accepted') return again
  const { explanation } = target.verdict
  if (!explanation) return told
  const { json } = await callVerb(explanation.call, 'explanation', valuesOf(opened), base)
  const reasons =
    json === undefined ? [] : query(json as Parameters<typeof query>[0], explanation.path)
  const names = [...new Set(reasons.map(String))]
  return names.length === 0 ? told : { ...told, reason: `${told.reason} (${names.join(', ')})` }
}

async function ask(
  { verdict: { poll, command } }: VerifierTarget,
  opened: OpenedRequest,
  patience: number,
  base: AdapterBase,
): Promise<Observation> {
  const values = valuesOf(opened)
  if (command) {
    const { outcome, reason, source } = await callVerb(command, 'verdict', values, base)
    if (outcome === 'done') return accepted(source, reason)
    return outcome === 'refused' ? refused(source, reason) : undecided(source, reason)
  }
  if (!poll) return undecided(responseSource, 'The answer does not tell, and nobody else does.')
  const ends = AbortSignal.any([base.signal, AbortSignal.timeout(patience)])
  return pollStatus(poll, { exchanges: base.exchanges, values }).observe(
    patience === 0 ? AbortSignal.abort() : ends,
  )
}

/** What the answer of the response endpoint itself says, where the target counts it as a source. */
function observeAnswer(
  { response, redirect }: VerifierTarget['verdict'],
  { status, reason, redirectUri }: PostAnswer,
): Observation | undefined {
  const source = `${responseSource} = ${status}`
  if (response?.accepted?.includes(status)) return accepted(source, reason)
  if (response?.refused?.includes(status)) return refused(source, reason)
  const names = [...(URL.parse(redirectUri ?? '')?.searchParams.keys() ?? [])]
  const found = (marks: readonly string[] = []) => marks.find((name) => names.includes(name))
  const refusal = found(redirect?.refused)
  if (refusal !== undefined) {
    return refused(`redirect_uri: ${refusal}`, `The holder is sent on with ${refusal}.`)
  }
  const acceptance = found(redirect?.accepted)
  if (acceptance === undefined) return undefined
  return accepted(`redirect_uri: ${acceptance}`, `The holder is sent on with ${acceptance}.`)
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
