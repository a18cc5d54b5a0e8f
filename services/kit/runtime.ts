import type { Express } from 'express'
import { createLog, type Log } from './log.ts'
import { noTraces, type TraceSink } from './traces.ts'

/** The only source of time for our code, so that a test or an operator can move it. */
export interface Clock {
  /** Unix time in whole seconds. */
  seconds(): number
  /** Unix time in milliseconds. */
  milliseconds(): number
}

/** Reads `Date`, which the control interface of a testbed may have moved for all services. */
export const systemClock: Clock = {
  seconds: () => Math.floor(Date.now() / 1000),
  milliseconds: () => Date.now(),
}

/** Every fault that the control interface can switch on (docs/reference/control-interface.md). */
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

/** Queried at the access point of each dependency: HTTP client, database, mail, chain client. */
export interface Faults {
  isActive(name: FaultName): boolean
}

const noFaults: Faults = { isActive: () => false }

export interface LocalChain {
  readonly rpcUrl: string
  /** The answer to a JSON-RPC message, as its port would return it. */
  answer(message: unknown): Promise<string | undefined>
}

/** What a testbed, a container or a test gives to the services it runs. */
export interface Runtime {
  readonly clock: Clock
  readonly log: Log
  readonly traces: TraceSink
  readonly faults: Faults
  readonly snapshots: Snapshots
  /** A chain node in this process: its clients need no connection. */
  readonly localChain?: LocalChain
  /** Additional host names of the services, besides those of their public addresses. */
  readonly allowedHosts: readonly string[]
  /**
   * Address of the console of a testbed, to which the pages of the services link. A service of a
   * real deployment has none.
   */
  readonly consoleUrl?: string
}

/** A service, ready to attach to a listening server. */
export interface Service {
  readonly app: Express
  /** Ends background work and closes the database; the process that opened the server closes it. */
  close(): Promise<void>
}

/**
 * Creates a runtime for a single service: real time, no injected faults, recorded hops or
 * snapshots.
 */
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

/** The state of a part of a service, in a database or in memory, at one moment. */
export interface SavedState {
  /** Restores the state; can be called several times. */
  restore(): Promise<void> | void
  /** Releases the saved state. */
  forget?(): Promise<void> | void
}

/** A part of a service with state that belongs in a snapshot of the whole system. */
export interface Keeper {
  /** Resolves as soon as no background work is in progress. */
  settled?(): Promise<unknown>
  save?(): Promise<SavedState> | SavedState
}

/** The registry of keepers, for the process that runs the services and takes snapshots. */
export interface Snapshots {
  add(keeper: Keeper): void
}

const noSnapshots: Snapshots = { add: () => {} }

/** For caches: calls `forget` when a snapshot is restored. */
export function forgetOnRestore(snapshots: Snapshots, forget: () => void): void {
  snapshots.add({ save: () => ({ restore: forget }) })
}
