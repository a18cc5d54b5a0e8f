import { setTimeout as wait } from 'node:timers/promises'
import { query } from 'jsonpath-rfc9535'
import type { Exchange, ExchangeLog } from '../kit/evidence/exchange-log.ts'
import type { VerbAnswer } from './adapters/call-verb.ts'
import { callHttp } from './adapters/call-verb.ts'
import type { PlaceholderValues } from './adapters/fill-placeholders.ts'
import type { StatusPoll } from './target-members.ts'

/** What one source observed of the system under test. */
export interface Observation {
  /** `undecided`: nothing that shows either. */
  readonly verdict: 'accepted' | 'refused' | 'undecided'
  /** What was observed, as a sentence. */
  readonly reason: string
  /** Where: `status poll: $.status = FAILED`, `exit code of present`. */
  readonly source: string
  /** Two sources that decide contradict each other; a further source cannot settle that. */
  readonly isContradiction?: boolean
  /** Undecided because the system answered HTTP 500. */
  readonly isOutage?: true
  /** Undecided because the system did not respond at all. */
  readonly isUnanswered?: true
  /** Undecided because the system shows a state that the target lists as pending. */
  readonly isPending?: true
  /** The answer that showed it, if it was JSON. */
  readonly json?: unknown
}

/**
 * A source of a verdict. `observe` resolves with its observation, at the latest when the signal
 * ends, and then after one final observation; it never rejects.
 */
export interface VerdictSource {
  readonly name: string
  /** It counts only if no other source decides: silence. */
  readonly isWeak?: boolean
  observe(signal: AbortSignal): Promise<Observation>
}

export const accepted = (source: string, reason: string): Observation => ({
  verdict: 'accepted',
  source,
  reason,
})

export const refused = (source: string, reason: string): Observation => ({
  verdict: 'refused',
  source,
  reason,
})

export const undecided = (source: string, reason: string): Observation => ({
  verdict: 'undecided',
  source,
  reason,
})

/**
 * Observes several sources at the same time. The first that decides ends the others, which look
 * once more. If one of them contradicts it, the result is undecided and reports both. A weak source
 * counts only if no other decides. No observation means no verdict.
 */
export async function combineVerdicts(
  sources: readonly VerdictSource[],
  signal: AbortSignal,
): Promise<Observation> {
  const decided = new AbortController()
  const ends = AbortSignal.any([signal, decided.signal])
  const inOrder: { readonly observation: Observation; readonly isWeak: boolean }[] = []
  await Promise.all(
    sources.map(async ({ observe, isWeak = false }) => {
      const observation = await observe(ends)
      inOrder.push({ observation, isWeak })
      if (observation.verdict !== 'undecided') decided.abort()
    }),
  )
  const decisive = inOrder.filter(({ observation }) => observation.verdict !== 'undecided')
  const strong = decisive.filter(({ isWeak }) => !isWeak)
  const [first, ...others] = (strong.length > 0 ? strong : decisive).map(
    ({ observation }) => observation,
  )
  if (first === undefined) return nothingObserved(inOrder.map(({ observation }) => observation))
  const opposite = others.find(({ verdict }) => verdict !== first.verdict)
  return opposite === undefined ? first : contradiction(first, opposite)
}

function nothingObserved(observations: readonly Observation[]): Observation {
  const sources = observations.map(({ source }) => source)
  const reasons = [...new Set(observations.map(({ reason }) => reason))]
  return {
    ...undecided(
      sources.join(', ') || 'no source',
      reasons.join(' ') || 'The target does not specify a source of the verdict.',
    ),
    ...(observations.some(({ isPending }) => isPending) && { isPending: true }),
  }
}

function contradiction(one: Observation, other: Observation): Observation {
  const describe = ({ source, verdict, reason }: Observation) =>
    `${source} says ${verdict} (${reason})`
  return {
    ...undecided(
      `${one.source}; ${other.source}`,
      `The sources contradict each other: ${describe(one)}, but ${describe(other)}`,
    ),
    isContradiction: true,
  }
}

/** Which marks mean which verdict. */
interface Marks<Mark> {
  readonly accepted?: readonly Mark[] | undefined
  readonly refused?: readonly Mark[] | undefined
}

/** Waits for the time or until the signal ends; never rejects. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {})
}

/**
 * No other verdict for the given number of seconds, which counts as a rejection. It stops waiting
 * once another source decides.
 */
export function silence(seconds: number): VerdictSource {
  const name = `silence for ${seconds} s`
  return {
    name,
    isWeak: true,
    async observe(signal) {
      await pause(seconds * 1000, signal)
      return signal.aborted
        ? undecided(name, 'The wait ended early.')
        : refused(name, `No activity was observed within ${seconds} seconds.`)
    },
  }
}

/**
 * An HTTP status that is itself the verdict.
 * @param name what the status is of: `HTTP status of the response endpoint`
 * @param answer its status, and a sentence about it
 */
export function httpStatus(
  name: string,
  { status, reason }: { readonly status: number; readonly reason: string },
  marks: Marks<number>,
): VerdictSource {
  const source = `${name} = ${status}`
  return {
    name,
    async observe() {
      if (marks.accepted?.includes(status)) return accepted(source, reason)
      return marks.refused?.includes(status) ? refused(source, reason) : undecided(source, reason)
    },
  }
}

/** Parameters of the address that the holder is redirected to: `error` rejects, `code` accepts. */
export function redirectParameter(
  address: string | undefined,
  marks: Marks<string>,
): VerdictSource {
  const name = 'redirect_uri'
  return {
    name,
    async observe() {
      const url = URL.parse(address ?? '')
      if (!url) return undecided(name, 'The holder is not redirected.')
      const names = [...url.searchParams.keys(), ...new URLSearchParams(url.hash.slice(1)).keys()]
      const find = (known: readonly string[] = []) => known.find((mark) => names.includes(mark))
      const refusal = find(marks.refused)
      // An answer with both an error and a code is an error.
      if (refusal !== undefined) {
        return refused(`${name}: ${refusal}`, `The holder is redirected with ${refusal}.`)
      }
      const acceptance = find(marks.accepted)
      return acceptance === undefined
        ? undecided(name, 'The address that the holder is redirected to has neither.')
        : accepted(`${name}: ${acceptance}`, `The holder is redirected with ${acceptance}.`)
    },
  }
}

/**
 * The outcome of a verb: an exit code, the status of a call, or a person's answer. It waits up to
 * the verb's own time limit.
 */
export function verbOutcome(name: string, call: () => Promise<VerbAnswer>): VerdictSource {
  return {
    name,
    async observe() {
      const { outcome, reason, source } = await call()
      if (outcome === 'done') return accepted(source, reason)
      return outcome === 'refused' ? refused(source, reason) : undecided(source, reason)
    },
  }
}

export interface PollStatusOptions {
  readonly exchanges: Pick<ExchangeLog, 'add'>
  /** The values of the placeholders in the address. */
  readonly values: PlaceholderValues
}

const oneRequest = 5000

/**
 * Polls a state until it decides. An answer other than 2xx, without the member, or with a state
 * that the target does not list is undecided, and polling continues. Only answers that differ from
 * the previous one become evidence, also if the source observes again.
 */
export function pollStatus(poll: StatusPoll, options: PollStatusOptions): VerdictSource {
  const { exchanges, values } = options
  const name = `status poll: ${poll.path}`
  const ask = async (): Promise<Asked> => {
    let exchange: Exchange | undefined
    const { url, headers } = poll
    const answer = await callHttp({ url, headers }, 'the status poll', values, {
      exchanges: { add: (added) => (exchange = added) },
      // A request in progress may return the final state.
      signal: AbortSignal.timeout(oneRequest),
    })
    return { exchange, observation: { ...observe(poll, answer), json: answer.json } }
  }
  let last = ''
  return {
    name,
    async observe(signal) {
      for (;;) {
        const isLastLook = signal.aborted
        const { exchange, observation } = await ask()
        const seen = JSON.stringify([exchange?.status, exchange?.responseBody])
        if (exchange && seen !== last) exchanges.add(exchange)
        last = seen
        if (observation.verdict !== 'undecided' || isLastLook) return observation
        await pause(poll.intervalMilliseconds ?? 250, signal)
      }
    },
  }
}

interface Asked {
  readonly exchange: Exchange | undefined
  readonly observation: Observation
}

function observe(poll: StatusPoll, { outcome, json, reason }: VerbAnswer): Observation {
  const source = `status poll: ${poll.path}`
  if (outcome !== 'done') return undecided(source, reason)
  const [state] = json === undefined ? [] : query(json as Parameters<typeof query>[0], poll.path)
  if (state === undefined)
    return undecided(source, `The status poll's response has no ${poll.path}.`)
  const seen = `${source} = ${typeof state === 'string' ? state : JSON.stringify(state)}`
  const among = (states: StatusPoll['accepted'] = []) =>
    states.some((known) => String(known) === String(state))
  if (among(poll.accepted)) return accepted(seen, `The state is ${String(state)}.`)
  if (among(poll.refused)) return refused(seen, `The state is ${String(state)}.`)
  if (among(poll.pending)) {
    return { ...undecided(seen, `The state is still ${String(state)}.`), isPending: true }
  }
  const unknown = `The state is ${JSON.stringify(state)}, and the target does not define its meaning.`
  return undecided(seen, unknown)
}
