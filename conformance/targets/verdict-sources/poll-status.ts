import { query } from 'jsonpath-rfc9535'
import type { Exchange, ExchangeLog } from '../../kit/evidence/exchange-log.ts'
import { callHttp } from '../adapters/call-http.ts'
import type { PlaceholderValues } from '../adapters/fill-placeholders.ts'
import type { VerbAnswer } from '../adapters/verb-answer.ts'
import type { StatusPoll } from '../z-status-poll.ts'
import { pause } from './pause.ts'
import {
  accepted,
  type Observation,
  refused,
  undecided,
  type VerdictSource,
} from './verdict-source.ts'

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
