import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { ControlDependencies } from '../dependencies.ts'
import { requireOwnChain } from '../find-environment.ts'

const zClock = z.object({ now: z.int().describe('Unix seconds') })
const tenYears = 10 * 365 * 86_400

const responses = { 200: { description: 'The time of all services', body: zClock } }

/** Everybody follows before the answer, so that the next block has the new time. */
async function tellEveryone({ environments, clock }: ControlDependencies) {
  await Promise.all([...environments.values()].map((each) => each.followClock(clock.offset)))
}

const answer = ({ clock }: ControlDependencies) => ({ status: 200, body: { now: clock.seconds() } })

export const readClock = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/clock',
  summary: 'The clock of all services and the chain',
  auth: 'control',
  responses,
  handle: (_input, dependencies) => answer(dependencies),
})

export const advanceClock = defineRoute<ControlDependencies>()({
  method: 'post',
  path: '/control/clock',
  summary: 'Move the clock of all services and the chain forward',
  auth: 'control',
  request: { body: z.object({ advance_seconds: z.int().min(0).max(tenYears) }) },
  responses,
  errors: ['invalid_request', 'foreign_chain'],
  async handle({ body }, dependencies) {
    for (const each of dependencies.environments.values()) requireOwnChain(each)
    dependencies.clock.advance(body.advance_seconds)
    await tellEveryone(dependencies)
    return answer(dependencies)
  },
})

export const resetClock = defineRoute<ControlDependencies>()({
  method: 'delete',
  path: '/control/clock',
  summary: 'Back to real time',
  description: "The chain's time never goes back: its next blocks repeat the last time until then.",
  auth: 'control',
  responses,
  errors: ['foreign_chain'],
  async handle(_input, dependencies) {
    for (const each of dependencies.environments.values()) requireOwnChain(each)
    dependencies.clock.moveTo(0)
    await tellEveryone(dependencies)
    return answer(dependencies)
  },
})
