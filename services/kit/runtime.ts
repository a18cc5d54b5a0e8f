import type { Express } from 'express'
import { type Clock, systemClock } from '#kit/clock.ts'
import { type Faults, noFaults } from '#kit/faults.ts'
import { createLog, type Log } from '#kit/log.ts'
import { noSnapshots, type Snapshots } from '#kit/snapshots.ts'
import { noTraces, type TraceSink } from '#kit/traces.ts'

/** What every service gets from whoever runs it: a testbed, a container, a test. */
export interface Runtime {
  readonly clock: Clock
  readonly log: Log
  readonly traces: TraceSink
  readonly faults: Faults
  readonly snapshots: Snapshots
  /** Host names by which clients reach the services, besides those of their public addresses. */
  readonly allowedHosts: readonly string[]
}

/** A service that is ready to be attached to a listening server. */
export interface Service {
  readonly app: Express
  /** Ends background work and closes the database; the server is closed by who opened it. */
  close(): Promise<void>
}

/** A runtime for a service that runs alone: real time, no injected faults, no recorded hops, no
 * snapshots. */
export function createRuntime(overrides: Partial<Runtime> = {}): Runtime {
  return {
    clock: systemClock,
    log: createLog({ level: 'info' }),
    traces: noTraces,
    faults: noFaults,
    snapshots: noSnapshots,
    allowedHosts: [],
    ...overrides,
  }
}
