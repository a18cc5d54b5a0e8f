import type { Express } from 'express'
import { createLog, type Log } from '#kit/log.ts'
import { noSnapshots, type Snapshots } from '#kit/snapshots.ts'
import { noTraces, type TraceSink } from '#kit/traces.ts'

/** The one source of time for our code, so that a test or an operator can move it. */
export interface Clock {
  /** Unix time in whole seconds. */
  seconds(): number
  /** Unix time in milliseconds. */
  milliseconds(): number
}

/** Reads `Date`, which a testbed with a control interface may have moved for everyone at once. */
export const systemClock: Clock = {
  seconds: () => Math.floor(Date.now() / 1000),
  milliseconds: () => Date.now(),
}

/** Every fault that the control interface can switch on (`design`: interfaces, section 4). */
export const faultNames = [
  'tir-down',
  'tir-slow',
  'did-registry-down',
  'mail-down',
  'database-down',
  'management-down',
  'connector-down',
  'notification-lost',
  'verifier-down',
  'chain-down',
  'status-list-down',
  'api-keys-down',
  'idp-down',
] as const

export type FaultName = (typeof faultNames)[number]

/** Asked at the one seam of each dependency: HTTP client, database, mail, chain client. */
export interface Faults {
  isActive(name: FaultName): boolean
}

const noFaults: Faults = { isActive: () => false }

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
