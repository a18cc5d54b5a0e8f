import { setTimeout as wait } from 'node:timers/promises'
import { query } from 'jsonpath-rfc9535'
import type { Exchange, ExchangeLog } from '../kit/evidence/exchange-log.ts'
import type { VerbAnswer } from './adapters/call-verb.ts'
import { callHttp } from './adapters/call-verb.ts'
import type { PlaceholderValues } from './adapters/fill-placeholders.ts'
import type { StatusPoll } from './target-members.ts'

/** What was observed of the system under test at one place. */
export interface Observation {
  /** `undecided`: nothing that shows either. */
  readonly verdict: 'accepted' | 'refused' | 'undecided'
  /** What was seen, in a sentence. */
  readonly reason: string
  /** Where: `status poll: $.status = FAILED`, `exit code of present`. */
  readonly source: string
  /** Places that decide said the opposite of each other; nothing else settles that. */
  readonly isContradiction?: boolean
}

/**
 * A place where a verdict may show. `observe` resolves with what it saw, at the latest when the
 * signal ends, and then with a last look where that is possible; it never rejects.
 */
export interface VerdictSource {
  readonly name: string
  /** It counts only where no other decides: silence. */
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
 * Looks at several places at once. The first that decides ends the others, which look once more; if
 * one of them says the opposite, nothing is decided, and both are told. A weak source counts only
 * where no other decides. Nothing observed decides nothing.
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
  return undecided(
    sources.join(', ') || 'no source',
    reasons.join(' ') || 'The target names no place where a verdict shows.',
  )
}

function contradiction(one: Observation, other: Observation): Observation {
  const tell = ({ source, verdict, reason }: Observation) => `${source} says ${verdict} (${reason})`
  return {
    ...undecided(
      `${one.source}; ${other.source}`,
      `It contradicts itself: ${tell(one)}, and ${tell(other)}`,
    ),
    isContradiction: true,
  }
}

/** What is a sign of which verdict. */
interface Marks<Mark> {
  readonly accepted?: readonly Mark[] | undefined
  readonly refused?: readonly Mark[] | undefined
}

/** Waits, or until the signal ends; never rejects. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {})
}

export interface SilenceOptions {
  readonly seconds: number
  /** What drives the system: the seconds count from its end. */
  readonly after?: Promise<unknown>
  /** Resolves with what was seen, in a sentence, as soon as something is: that is no silence. */
  readonly activity?: Promise<string>
}

/**
 * Nothing to be seen for so many seconds, which counts as a refusal where no other place decides.
 * It waits no longer once something was seen.
 */
export function silence({ seconds, after, activity }: SilenceOptions): VerdictSource {
  const name = `silence for ${seconds} s`
  return {
    name,
    isWeak: true,
    async observe(signal) {
      const heard = new AbortController()
      const over = AbortSignal.any([signal, heard.signal])
      const quiet = async () => {
        await Promise.race([after, untilAborted(over)])
        await pause(seconds * 1000, over)
      }
      let seen: string | undefined
      const noticed = activity?.then((what) => {
        seen = what
        heard.abort()
      })
      await Promise.race([quiet(), ...(noticed ? [noticed] : [])])
      heard.abort()
      if (seen !== undefined) return accepted('activity', seen)
      return signal.aborted
        ? undecided(name, 'It was not waited for to the end.')
        : refused(name, `Nothing was to be seen for ${seconds} seconds.`)
    },
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}

/**
 * An HTTP status that tells the verdict at once.
 * @param name whose status it is: `HTTP status of the response endpoint`
 * @param answer its status, and what it said, in a sentence
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

/** Parameters of the address that somebody is sent on to: `error` refuses, `code` accepts. */
export function redirectParameter(
  address: string | undefined,
  marks: Marks<string>,
): VerdictSource {
  const name = 'redirect_uri'
  return {
    name,
    async observe() {
      const url = URL.parse(address ?? '')
      if (!url) return undecided(name, 'Nobody is sent on.')
      const names = [...url.searchParams.keys(), ...new URLSearchParams(url.hash.slice(1)).keys()]
      const find = (known: readonly string[] = []) => known.find((mark) => names.includes(mark))
      const refusal = find(marks.refused)
      // An answer with both an error and a code is an error.
      if (refusal !== undefined) {
        return refused(`${name}: ${refusal}`, `The holder is sent on with ${refusal}.`)
      }
      const acceptance = find(marks.accepted)
      return acceptance === undefined
        ? undecided(name, 'The address that the holder is sent on to tells nothing.')
        : accepted(`${name}: ${acceptance}`, `The holder is sent on with ${acceptance}.`)
    },
  }
}

/**
 * What came of a verb: an exit code, the status of a call, or what a person told. It is waited for
 * to its own time limit.
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
  /** What the placeholders in the address stand for. */
  readonly values: PlaceholderValues
}

const oneRequest = 5000

/**
 * Asks for a state until it is one that decides. An answer that is no 2xx, has no such member or
 * another state than the told ones decides nothing, and is asked again. Only answers that differ
 * from the one before become evidence.
 */
export function pollStatus(poll: StatusPoll, options: PollStatusOptions): VerdictSource {
  const { exchanges, values } = options
  const name = `status poll: ${poll.path}`
  const ask = async (): Promise<Asked> => {
    let exchange: Exchange | undefined
    const { url, headers } = poll
    const answer = await callHttp({ url, headers }, 'the status poll', values, {
      exchanges: { add: (added) => (exchange = added) },
      // A question under way may end with what it was asked for.
      signal: AbortSignal.timeout(oneRequest),
    })
    return { exchange, observation: observe(poll, answer) }
  }
  return {
    name,
    async observe(signal) {
      let last = ''
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
  if (state === undefined) return undecided(source, `The status poll's answer has no ${poll.path}.`)
  const told = `${source} = ${typeof state === 'string' ? state : JSON.stringify(state)}`
  const among = (states: StatusPoll['accepted'] = []) =>
    states.some((known) => String(known) === String(state))
  if (among(poll.accepted)) return accepted(told, `The state is ${String(state)}.`)
  if (among(poll.refused)) return refused(told, `The state is ${String(state)}.`)
  return undecided(
    told,
    among(poll.pending)
      ? `The state is still ${String(state)}.`
      : `The state is ${JSON.stringify(state)}, of which the target does not say what it means.`,
  )
}
