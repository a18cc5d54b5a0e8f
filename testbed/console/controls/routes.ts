import { z } from 'zod'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import { advanceTime } from '#testbed/control/routes/clock-and-mining.ts'
import { foreignManagementUrlOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/running-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { readBlockNumber } from '../frame/block-number.ts'
import { definePage } from '../frame/define-page.ts'
import { readManagementFailure } from '../frame/modifications.ts'
import { controlsPage } from './page.ts'
import type { TimeUnit } from './texts.ts'

async function readManagement(running: RunningEnvironment) {
  if (foreignManagementUrlOf(running.context) !== undefined) return undefined
  const { organizations } = running.context
  return { failure: await readManagementFailure(running), organizations }
}

async function readMiningState(running: RunningEnvironment) {
  const { chainProcess } = running
  if (chainProcess === undefined) return undefined
  const [mode, block] = await Promise.all([chainProcess.readMining(), readBlockNumber(running)])
  return { mode, block }
}

const showControls = definePage({
  path: '/controls',
  room: 'controls',
  summary: 'Clock, faults, mining and snapshots',
  async render({ frame, running }, { clock, snapshots }) {
    const [management, mining] = await Promise.all([
      readManagement(running),
      readMiningState(running),
    ])
    return controlsPage(frame, {
      now: clock.milliseconds(),
      clockOffset: clock.offset,
      faults: running.context.runtime.faults.list(),
      management,
      mining,
      snapshots: snapshots.list(),
    })
  },
})

const secondsOf: Readonly<Record<TimeUnit, number>> = { minutes: 60, hours: 3600, days: 86_400 }

/** The control interface takes seconds; people think in units. */
const moveClock = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/clock',
  summary: 'Move the clock forward by an amount of a unit',
  auth: 'control',
  documented: false,
  request: {
    body: z.strictObject({
      amount: z.int().min(1).max(5000),
      unit: z.enum(['minutes', 'hours', 'days']),
    }),
  },
  responses: { 204: { description: 'The clock has moved' } },
  errors: ['invalid_request', 'foreign_chain'],
  async handle({ body: { amount, unit } }, dependencies) {
    await advanceTime(dependencies, amount * secondsOf[unit])
    return { status: 204 }
  },
})

export const controlsRoutes: readonly AnyRoute<ConsoleDependencies>[] = [showControls, moveClock]
