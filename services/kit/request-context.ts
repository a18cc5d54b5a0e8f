import { AsyncLocalStorage } from 'node:async_hooks'
import { cutOff } from './errors.ts'

/** Identifiers that all services pass on with a request as headers. */
export interface RequestContext {
  /** `x-request-id`: one for the whole chain of calls that a request causes. */
  readonly requestId: string
  /** `x-scenario-id`: the scenario run that caused it, to separate the hops of scenarios. */
  readonly scenarioId?: string
  /**
   * Set for health checks and explorers: the requests that they cause are not protocol exchanges,
   * so not recorded as hops.
   */
  readonly unrecorded?: true
}

const identifierPattern = /^[A-Za-z0-9._:/@-]{1,128}$/

/** A received `x-request-id` or `x-scenario-id`; undefined if it is missing or not an identifier. */
export function readIdentifier(given: string | undefined): string | undefined {
  return given !== undefined && identifierPattern.test(given) ? given : undefined
}

const requests = new AsyncLocalStorage<RequestContext>()

export function currentRequest(): RequestContext | undefined {
  return requests.getStore()
}

/** Runs `work` so that its log lines and outgoing calls have the identifiers. */
export function withRequestContext<T>(context: RequestContext, work: () => T): T {
  return requests.run(context, work)
}

/**
 * The work that a request caused; `isCut` if its client no longer waits and it must change nothing.
 */
export interface Work {
  isCut: boolean
}

const works = new AsyncLocalStorage<Work>()

/** Runs `begin` so that `work.isCut` can cut it and everything it causes. */
export function runCuttable<T>(work: Work, begin: () => T): T {
  return works.run(work, begin)
}

/**
 * Called before a service reaches anything outside of itself.
 * @throws TestbedError `cut_off` (503) in work that belongs to a state before a restored snapshot
 */
export function refuseCutWork(): void {
  if (works.getStore()?.isCut) throw cutOff()
}
