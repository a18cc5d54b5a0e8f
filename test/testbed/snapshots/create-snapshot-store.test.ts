import { describe, expect, it } from 'vitest'
import { createSnapshotStore } from '#testbed/control/create-snapshot-store.ts'
import { installMovableClock } from '#testbed/process/clock.ts'
import type { RunningEnvironment } from '#testbed/services/running-environment.ts'

describe('createSnapshotStore', () => {
  it('leaves a database alone that others may use', async () => {
    const clock = installMovableClock()
    clock.uninstall()
    const environment = {
      environment: 'pre',
      chainProcess: {},
      context: { databaseUrl: () => 'postgres://127.0.0.1/shared' },
    } as unknown as RunningEnvironment
    const store = createSnapshotStore({ environments: [environment], states: [], clock })
    const refused = { code: 'foreign_database', status: 409 }
    await expect(store.create()).rejects.toMatchObject(refused)
    await expect(store.restore('any')).rejects.toMatchObject(refused)
    const unknown = { code: 'unknown_snapshot', status: 404 }
    await expect(store.forget('any')).rejects.toMatchObject(unknown)
  })
})
