import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { callerOf, viaIssuer } from '#kit/record-hops.ts'
import { runCuttable, type Work } from '#kit/request-context.ts'
import type { Keeper, SavedState, Snapshots } from '#kit/snapshots.ts'
import { serviceParts } from './ports.ts'

/** Stands before all services of a process and knows which requests are under way. */
export interface Gate {
  /** The same handler behind the gate. Requests for which `isFree` holds are neither held nor counted. */
  guard(handler: RequestListener, isFree?: (request: IncomingMessage) => boolean): RequestListener
  /** Holds what comes from outside; what services ask of each other goes on, or nothing would end. */
  hold(): void
  /** Settles when nothing is under way. */
  idle(): Promise<void>
  readonly isIdle: boolean
  /** Holds every request. */
  holdAll(): void
  /**
   * Ends what is under way: connections are closed, and nothing that any request before has set off
   * reaches a database or another service any more.
   */
  cut(): void
  /** Lets all in that were held. */
  release(): void
}

type Hold = 'nothing' | 'outside' | 'everything'

/** A stream of events has no end, and tells what has happened already. */
const isEventStream = (response: ServerResponse) =>
  String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')

/**
 * Makes a gate that is open.
 * @param isInside whether a request comes from a part of the testbed itself
 */
export function createGate(isInside: (request: IncomingMessage) => boolean): Gate {
  const underWay = new Set<ServerResponse>()
  // Of all requests since the last cut: some go on after their answer, or after nobody waits for it.
  let work: Work = { isCut: false }
  let held: (() => void)[] = []
  let waiting: (() => void)[] = []
  let hold: Hold = 'nothing'

  const countBusy = () => [...underWay].filter((each) => !isEventStream(each)).length

  const tellIdle = () => {
    if (waiting.length === 0 || countBusy() > 0) return
    const told = waiting
    waiting = []
    for (const tell of told) tell()
  }

  const begin = (handler: RequestListener, request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response)
    response.once('close', () => {
      underWay.delete(response)
      tellIdle()
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
        tellIdle()
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
  /** Settles when no keeper has work under way. */
  settled(): Promise<void>
  save(name: string): Promise<void>
  /** Puts back what was saved under a name. */
  restore(name: string): Promise<void>
  forget(name: string): Promise<void>
}

/** An empty registry; services add their keepers while they are made. */
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

/** What the services of one process keep, as whoever coordinates snapshots handles it. */
export interface ProcessState {
  /**
   * Holds requests from outside and waits for those under way and what they set off, for so many
   * milliseconds at most.
   */
  hold(limitMilliseconds: number): Promise<void>
  save(name: string): Promise<void>
  /** Ends what is under way still, and puts back what was saved. */
  restore(name: string): Promise<void>
  forget(name: string): Promise<void>
  /** Lets requests in again. */
  release(): Promise<void>
}

/** The state of the services in this process, which stand behind the gate. */
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
 * Whether a request comes from a part of the testbed, as its User-Agent or, for one that was
 * forwarded, its Via header says.
 */
export function isInsideRequest({ headers }: IncomingMessage): boolean {
  return insiders.has(callerOf(headers['user-agent'])) || headers.via === viaIssuer
}
