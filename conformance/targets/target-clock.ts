import { z } from 'zod'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { type CheckBase, endCheck, inconclusive } from '../kit/check.ts'
import type { ExchangeLog } from '../kit/evidence/exchange-log.ts'
import { callVerb } from './adapters/call-verb.ts'
import type { Verb } from './adapters/z-verb.ts'

/** The clock of a system under test, as far as the kit can move it. */
export interface TargetClock {
  /** Unix seconds. */
  now(): number
  /**
   * Moves the clock by the given number of seconds. Ends the check if that is impossible.
   */
  advance(seconds: number, check: Pick<CheckBase, 'proven' | 'signal'>): Promise<void>
  /**
   * Restores the real time if the clock was moved and can be reset. By default it takes at most ten
   * seconds, and is independent of an interrupt.
   */
  reset(signal?: AbortSignal): Promise<void>
}

/** The verbs of a target that move its clock. */
interface ClockVerbs {
  readonly 'advance-clock'?: Verb | undefined
  readonly 'reset-clock'?: Verb | undefined
}

const zMoved = z.object({ now: z.number() })

/** Follows the clock that the target's verbs move, and trusts the `now` that a verb returns. */
export function createTargetClock(verbs: ClockVerbs, exchanges: ExchangeLog): TargetClock {
  let offset = 0
  return {
    now: () => Math.floor(realSeconds() + offset),
    async advance(seconds, { proven, signal }) {
      const verb = verbs['advance-clock']
      if (verb === undefined) endCheck(inconclusive('The target has no verb advance-clock.'))
      const options = { exchanges, signal }
      const answer = await callVerb(verb, 'advance-clock', { seconds }, options)
      const { outcome, reason, json } = answer
      if (outcome !== 'done') endCheck(inconclusive(`The clock was not moved. ${reason}`))
      const moved = zMoved.safeParse(json)
      offset = moved.success ? moved.data.now - realSeconds() : offset + seconds
      // The result of a control may depend on the time.
      proven.clear()
    },
    async reset(signal = AbortSignal.timeout(10_000)) {
      const verb = verbs['reset-clock']
      if (offset === 0 || verb === undefined) return
      const { outcome } = await callVerb(verb, 'reset-clock', {}, { exchanges, signal })
      if (outcome === 'done') offset = 0
    },
  }
}
