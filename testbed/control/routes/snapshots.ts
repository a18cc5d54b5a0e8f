import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { ControlDependencies } from '../dependencies.ts'

const zSnapshot = z.object({ id: z.string() })

/** Requests below this path do not wait while a snapshot is taken or restored. */
export const snapshotsPath = '/control/snapshots'

export const createSnapshot = defineRoute<ControlDependencies>()({
  method: 'post',
  path: snapshotsPath,
  summary: 'Save the whole state',
  description:
    'Chain, journal, databases, clock, faults and mining mode of all environments, while the testbed runs. The last hundred are kept.',
  auth: 'control',
  responses: { 200: { description: 'The snapshot', body: zSnapshot } },
  errors: ['foreign_chain', 'foreign_database'],
  async handle(_input, { snapshots }) {
    return { status: 200, body: { id: await snapshots.create() } }
  },
})

export const listSnapshots = defineRoute<ControlDependencies>()({
  method: 'get',
  path: snapshotsPath,
  summary: 'List the saved states',
  auth: 'control',
  responses: {
    200: {
      description: 'Oldest first',
      body: z.object({
        snapshots: z.array(
          zSnapshot.extend({ saved_at: z.int().describe("The testbed's time, Unix seconds") }),
        ),
      }),
    },
  },
  handle(_input, { snapshots }) {
    const saved = snapshots.list().map(({ id, savedAt }) => ({ id, saved_at: savedAt }))
    return { status: 200, body: { snapshots: saved } }
  },
})

export const restoreSnapshot = defineRoute<ControlDependencies>()({
  method: 'post',
  path: `${snapshotsPath}/:id/restore`,
  summary: 'Restore a saved state',
  description:
    'The snapshot can be restored again; later snapshots are dropped. New requests wait during the restore. Open requests have one second to finish before their connections are closed.',
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
  summary: 'Drop a saved state',
  description: 'Frees the memory of the snapshot. The state of the testbed does not change.',
  auth: 'control',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: { description: 'The snapshot', body: zSnapshot } },
  errors: ['unknown_snapshot', 'foreign_chain'],
  async handle({ params: { id } }, { snapshots }) {
    await snapshots.forget(id)
    return { status: 200, body: { id } }
  },
})
