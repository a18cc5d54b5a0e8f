import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { callerOf, viaIssuer } from '#kit/record-hops.ts'
import { runCuttable, type Work } from '#kit/request-context.ts'
import type { Keeper, SavedState, Snapshots } from '#kit/runtime.ts'
import { serviceParts } from './ports.ts'

/** Precedes all services of a process and tracks the open requests. */
export interface Gate {
  /**
   * Wraps a handler with the gate. Requests for which `isFree` returns true are neither held nor
   * counted.
   */
  guard(handler: RequestListener, isFree?: (request: IncomingMessage) => boolean): RequestListener
  /**
   * Holds requests from outside; requests between services continue, so that open requests can end.
   */
  hold(): void
  /** Resolves when no request is open. */
  idle(): Promise<void>
  readonly isIdle: boolean
  /** Holds every request. */
  holdAll(): void
  /**
   * Ends the open requests: closes their connections, and stops everything that earlier requests
   * started from reaching a database or another service.
   */
  cut(): void
  /** Admits all held requests. */
  release(): void
}

type Hold = 'nothing' | 'outside' | 'everything'

/** A stream of events has no end, and contains only past events. */
const isEventStream = (response: ServerResponse) =>
  String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')

/**
 * Creates an open gate.
 * @param isInside whether a request comes from a part of the testbed itself
 */
export function createGate(isInside: (request: IncomingMessage) => boolean): Gate {
  const underWay = new Set<ServerResponse>()
  // All requests since the last cut: some have work left after their answer, or after their client
  // has gone.
  let work: Work = { isCut: false }
  let held: (() => void)[] = []
  let waiting: (() => void)[] = []
  let hold: Hold = 'nothing'

  const countBusy = () => [...underWay].filter((each) => !isEventStream(each)).length

  const notifyIdle = () => {
    if (waiting.length === 0 || countBusy() > 0) return
    const listeners = waiting
    waiting = []
    for (const resume of listeners) resume()
  }

  const begin = (handler: RequestListener, request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response)
    response.once('close', () => {
      underWay.delete(response)
      notifyIdle()
    })
    runCuttable(work, () => handler(request, response as never))
  }

  return {
    guard(handler, isFree = () => false) {
      return (request, response) => {
        if (isFree(request)) return handler(request, response)
        const isHeld = hold === 'everything' || (hold === 'outside' && !isInside(request))
        if (!isHeld) return begin(handler, request, response)
        held.push(() => {
          if (!response.destroyed) begin(handler, request, response)
        })
      }
    },
    hold() {
      if (hold === 'nothing') hold = 'outside'
    },
    idle: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        notifyIdle()
      }),
    get isIdle() {
      return countBusy() === 0
    },
    holdAll() {
      hold = 'everything'
    },
    cut() {
      work.isCut = true
      work = { isCut: false }
      for (const response of underWay) if (!isEventStream(response)) response.destroy()
    },
    release() {
      hold = 'nothing'
      const released = held
      held = []
      for (const begin of released) begin()
    },
  }
}

/** All keepers of a process, saved and restored together. */
interface KeeperRegistry extends Snapshots {
  /** Resolves when no keeper has open work. */
  settled(): Promise<void>
  save(name: string): Promise<void>
  /** Restores what was saved under a name. */
  restore(name: string): Promise<void>
  forget(name: string): Promise<void>
}

/** An empty registry; services register their keepers when they are created. */
export function createKeeperRegistry(): KeeperRegistry {
  const keepers: Keeper[] = []
  const saved = new Map<string, readonly SavedState[]>()
  return {
    add(keeper) {
      keepers.push(keeper)
    },
    async settled() {
      await Promise.allSettled(keepers.map((keeper) => keeper.settled?.()))
    },
    async save(name) {
      const states = await Promise.all(keepers.map((keeper) => keeper.save?.()))
      saved.set(
        name,
        states.filter((state) => state !== undefined),
      )
    },
    async restore(name) {
      await Promise.all((saved.get(name) ?? []).map((state) => state.restore()))
    },
    async forget(name) {
      const states = saved.get(name) ?? []
      saved.delete(name)
      await Promise.all(states.map((state) => state.forget?.()))
    },
  }
}

/** The state of the services of one process, as the snapshot coordinator handles it. */
export interface ProcessState {
  /**
   * Holds requests from outside and waits for open requests and the work that they started, at most
   * this many milliseconds.
   */
  hold(limitMilliseconds: number): Promise<void>
  save(name: string): Promise<void>
  /** Ends the requests that are still open, and restores what was saved. */
  restore(name: string): Promise<void>
  forget(name: string): Promise<void>
  /** Admits requests again. */
  release(): Promise<void>
}

/** The state of the services in this process, behind the gate. */
export function createProcessState(gate: Gate, keepers: KeeperRegistry): ProcessState {
  const settle = async () => {
    do {
      await gate.idle()
      await keepers.settled()
    } while (!gate.isIdle)
  }
  return {
    async hold(limitMilliseconds) {
      gate.hold()
      const limit = Promise.withResolvers<void>()
      const timer = setTimeout(limit.resolve, limitMilliseconds)
      await Promise.race([settle(), limit.promise])
      clearTimeout(timer)
    },
    save(name) {
      gate.holdAll()
      return keepers.save(name)
    },
    async restore(name) {
      gate.holdAll()
      gate.cut()
      await keepers.restore(name)
    },
    forget: keepers.forget,
    async release() {
      gate.release()
    },
  }
}

const insiders: ReadonlySet<string> = new Set([...serviceParts, 'control', 'operator'])

/**
 * Whether a request comes from a part of the testbed, according to its User-Agent header or, if it
 * was forwarded, its Via header.
 */
export function isInsideRequest({ headers }: IncomingMessage): boolean {
  return insiders.has(callerOf(headers['user-agent'])) || headers.via === viaIssuer
}
