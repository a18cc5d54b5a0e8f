import { z } from 'zod'
import { endCheck, inconclusive } from '../../kit/check.ts'
import type { CallVerbOptions } from '../../targets/adapters/call-verb.ts'
import { callVerb } from '../../targets/adapters/call-verb.ts'
import type { IssuerAdapter } from './z-target.ts'

/** The issuer's time, as far as the kit moves it. */
export interface TargetClock {
  /** Unix seconds. */
  now(): number
  /** Lets so many seconds pass at the issuer. Ends the check where that can't be done. */
  advance(seconds: number, options: CallVerbOptions): Promise<void>
  /** Gives the issuer the real time again, where it was moved and can be put back. */
  settle(options: CallVerbOptions): Promise<void>
}

// Immune against an issuer in this process that has moved `Date` for everyone.
const realSeconds = () => (performance.timeOrigin + performance.now()) / 1000

const zMoved = z.object({ now: z.number() })

/** Follows the clock that the target's verbs move. What a verb answers as `now` is believed. */
export function createTargetClock(adapter: IssuerAdapter): TargetClock {
  let offset = 0
  return {
    now: () => Math.floor(realSeconds() + offset),
    async advance(seconds, options) {
      const verb = adapter['advance-clock']
      if (verb === undefined) endCheck(inconclusive('The target has no verb advance-clock.'))
      const values = { seconds }
      const { outcome, reason, json } = await callVerb(verb, 'advance-clock', values, options)
      if (outcome !== 'done') endCheck(inconclusive(`The clock was not moved. ${reason}`))
      const answer = zMoved.safeParse(json)
      offset = answer.success ? answer.data.now - realSeconds() : offset + seconds
    },
    async settle(options) {
      const verb = adapter['reset-clock']
      if (offset === 0 || verb === undefined) return
      const { outcome } = await callVerb(verb, 'reset-clock', {}, options)
      if (outcome === 'done') offset = 0
    },
  }
}
