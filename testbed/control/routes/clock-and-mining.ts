import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { requireOwnChain } from '#testbed/services/start-environment.ts'
import { type ControlDependencies, findEnvironment } from '../dependencies.ts'

const zClock = z.object({ now: z.int().describe('Unix seconds') })
const tenYears = 10 * 365 * 86_400

const responses = { 200: { description: 'The time of all services', body: zClock } }

/** All parts follow before the answer, so that the next block has the new time. */
async function broadcastClock({ environments, clock }: ControlDependencies) {
  await Promise.all([...environments.values()].map((each) => each.followClock(clock.offset)))
}

/**
 * Moves the clock of all parts forward.
 * @throws TestbedError `foreign_chain`
 */
export async function advanceTime(dependencies: ControlDependencies, seconds: number) {
  for (const each of dependencies.environments.values()) requireOwnChain(each)
  dependencies.clock.advance(seconds)
  await broadcastClock(dependencies)
}

/**
 * Returns all parts to real time.
 * @throws TestbedError `foreign_chain`
 */
export async function returnToRealTime(dependencies: ControlDependencies) {
  for (const each of dependencies.environments.values()) requireOwnChain(each)
  dependencies.clock.moveTo(0)
  await broadcastClock(dependencies)
}

const answer = ({ clock }: ControlDependencies) => ({ status: 200, body: { now: clock.seconds() } })

export const readClock = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/clock',
  summary: 'Get the time of all services and the chain',
  auth: 'control',
  responses,
  handle: (_input, dependencies) => answer(dependencies),
})

export const advanceClock = defineRoute<ControlDependencies>()({
  method: 'post',
  path: '/control/clock',
  summary: 'Move the clock of all services and the chain forward',
  auth: 'control',
  request: {
    body: z.strictObject({ advance_seconds: z.int().min(0).max(tenYears).describe('How far') }),
  },
  responses,
  errors: ['invalid_request', 'foreign_chain'],
  async handle({ body }, dependencies) {
    await advanceTime(dependencies, body.advance_seconds)
    return answer(dependencies)
  },
})

export const resetClock = defineRoute<ControlDependencies>()({
  method: 'delete',
  path: '/control/clock',
  summary: 'Return to real time',
  description:
    "The chain's time never decreases: its next blocks repeat the last time until real time has caught up.",
  auth: 'control',
  responses,
  errors: ['foreign_chain'],
  async handle(_input, dependencies) {
    await returnToRealTime(dependencies)
    return answer(dependencies)
  },
})

const zMinedEnvironment = z.object({ env: z.string() })
const zMiningMode = z.strictObject({
  mode: z.enum(['auto', 'manual']).describe('manual: transactions wait for POST at this address'),
})

export const readMining = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/:env/mining',
  summary: 'Get the mining mode',
  auth: 'control',
  request: { params: zMinedEnvironment },
  responses: {
    200: {
      description: 'The current mode; a number is the interval between blocks in milliseconds',
      body: z.object({ mode: z.union([zMiningMode.shape.mode, z.int()]) }),
    },
  },
  errors: ['unknown_environment', 'foreign_chain'],
  async handle({ params }, dependencies) {
    const chain = requireOwnChain(findEnvironment(dependencies, params.env))
    return { status: 200, body: { mode: await chain.readMining() } }
  },
})

export const setMining = defineRoute<ControlDependencies>()({
  method: 'put',
  path: '/control/:env/mining',
  summary: 'Mine transactions when they arrive, or keep them pending',
  auth: 'control',
  request: { params: zMinedEnvironment, body: zMiningMode },
  responses: { 200: { description: 'The current mode', body: zMiningMode } },
  errors: ['invalid_request', 'unknown_environment', 'foreign_chain'],
  async handle({ params, body }, dependencies) {
    await requireOwnChain(findEnvironment(dependencies, params.env)).setMining(body.mode)
    return { status: 200, body }
  },
})

export const mineBlock = defineRoute<ControlDependencies>()({
  method: 'post',
  path: '/control/:env/mining',
  summary: 'Mine a block with the pending transactions',
  auth: 'control',
  request: { params: zMinedEnvironment },
  responses: {
    200: {
      description: 'The block',
      body: z.object({
        number: z.int(),
        time: z.int().describe('Unix seconds'),
        hash: z.string(),
        transactions: z.array(z.string()),
      }),
    },
  },
  errors: ['unknown_environment', 'foreign_chain'],
  async handle({ params }, dependencies) {
    const block = await requireOwnChain(findEnvironment(dependencies, params.env)).mine()
    return { status: 200, body: block }
  },
})
