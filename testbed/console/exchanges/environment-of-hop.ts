import type { Hop } from '#kit/traces.ts'

/** Requests whose environment is remembered; an email arrives while its request is answered. */
const mostRequests = 2000

/**
 * Creates a function that returns the environment of a hop; call it with hops in the order of their
 * ids. All environments share the mail server: an email belongs to the environment of the request
 * that caused it, which is known if a part of that environment was asked before. Undefined otherwise.
 */
export function createEnvironmentFinder(): (hop: Hop) => string | undefined {
  const byRequest = new Map<string, string>()
  return ({ environment, requestId }) => {
    if (requestId === undefined) return environment
    if (environment === undefined) return byRequest.get(requestId)
    byRequest.set(requestId, environment)
    const [oldest] = byRequest.keys()
    if (byRequest.size > mostRequests && oldest !== undefined) byRequest.delete(oldest)
    return environment
  }
}

/** Whether a page of the environment shows a hop of `found`; hops without one are on every page. */
export const isShownIn = (environment: string, found: string | undefined): boolean =>
  found === undefined || found === environment
