import { AsyncLocalStorage } from 'node:async_hooks'
import { cutOff } from '#kit/errors.ts'

/** Identifiers that accompany a request through all services as headers. */
export interface RequestContext {
  /** `x-request-id`: one for the whole chain of calls that a request sets off. */
  readonly requestId: string
  /** `x-scenario-id`: which scenario run caused it, so that its hops can be told apart. */
  readonly scenarioId?: string
  /** Set for health checks and explorers: what they set off is no part of the protocols, no hop. */
  readonly unrecorded?: true
}

const requests = new AsyncLocalStorage<RequestContext>()

export function currentRequest(): RequestContext | undefined {
  return requests.getStore()
}

/** Runs `work` so that its log lines and outgoing calls carry the identifiers. */
export function withRequestContext<T>(context: RequestContext, work: () => T): T {
  return requests.run(context, work)
}

/** The work that a request set off; `isCut` once nobody waits for it and it must change nothing. */
export interface Work {
  isCut: boolean
}

const works = new AsyncLocalStorage<Work>()

/** Runs `begin` so that it, and all that it sets off, can be cut by `work.isCut`. */
export function runCuttable<T>(work: Work, begin: () => T): T {
  return works.run(work, begin)
}

/**
 * Asked at the seams by which a service reaches anything outside of itself.
 * @throws TestbedError `cut_off` (503) in work that belongs to a state before a restored snapshot
 */
export function refuseCutWork(): void {
  if (works.getStore()?.isCut) throw cutOff()
}
