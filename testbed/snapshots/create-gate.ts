import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { runCuttable, type Work } from '#kit/request-context.ts'

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
