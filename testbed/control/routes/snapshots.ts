import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { ControlDependencies } from '../dependencies.ts'

const zSnapshot = z.object({ id: z.string() })

/** Under this path nothing waits for a snapshot that is being made or restored. */
export const snapshotsPath = '/control/snapshots'

export const createSnapshot = defineRoute<ControlDependencies>()({
  method: 'post',
  path: snapshotsPath,
  summary: 'Remember the whole state, to come back to it',
  description:
    'Chain, journal, databases, clock, faults and mining mode of all environments, while the testbed runs. The last hundred are kept.',
  auth: 'control',
  responses: { 200: { description: 'The snapshot', body: zSnapshot } },
  errors: ['foreign_chain', 'foreign_database'],
  async handle(_input, { snapshots }) {
    return { status: 200, body: { id: await snapshots.create() } }
  },
})

export const restoreSnapshot = defineRoute<ControlDependencies>()({
  method: 'post',
  path: `${snapshotsPath}/:id/restore`,
  summary: 'Back to a remembered state',
  description:
    'It can be restored again; snapshots made after it are gone. Requests that come in meanwhile wait; those under way have a second to end, then their connection is closed.',
  auth: 'control',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: { description: 'The snapshot', body: zSnapshot } },
  errors: ['unknown_snapshot', 'foreign_chain', 'foreign_database'],
  async handle({ params: { id } }, { snapshots }) {
    await snapshots.restore(id)
    return { status: 200, body: { id } }
  },
})

export const forgetSnapshot = defineRoute<ControlDependencies>()({
  method: 'delete',
  path: `${snapshotsPath}/:id`,
  summary: 'Forget a remembered state',
  description: 'What is remembered takes memory. The state of the testbed stays as it is.',
  auth: 'control',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: { description: 'The snapshot', body: zSnapshot } },
  errors: ['unknown_snapshot', 'foreign_chain'],
  async handle({ params: { id } }, { snapshots }) {
    await snapshots.forget(id)
    return { status: 200, body: { id } }
  },
})
