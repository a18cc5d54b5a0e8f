import { AsyncLocalStorage } from 'node:async_hooks'

/** Identifiers that accompany a request through all services as headers. */
export interface RequestContext {
  /** `x-request-id`: one for the whole chain of calls that a request sets off. */
  readonly requestId: string
  /** `x-scenario-id`: which scenario run caused it, so that its hops can be told apart. */
  readonly scenarioId?: string
  /** Set for health checks and explorers: what they set off is no part of the protocols, no hop. */
  readonly unrecorded?: true
}

const storage = new AsyncLocalStorage<RequestContext>()

export function currentRequest(): RequestContext | undefined {
  return storage.getStore()
}

/** Runs `work` so that its log lines and outgoing calls carry the identifiers. */
export function withRequestContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work)
}
