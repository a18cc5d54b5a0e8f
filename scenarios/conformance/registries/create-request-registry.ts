import type { RequestRegistry } from '#core/registries/registry-http.ts'
import type { HttpAnswer, HttpClient } from '#scenarios/harness/http-client.ts'
import { classifyStatus } from '../classify-answer.ts'
import { endCheck, inconclusive } from '../finding.ts'

/** Ends the check where an answer is none of the system's own: overload, outage, time-out. */
export function requireVerdict(answer: HttpAnswer): HttpAnswer {
  const { method, url, status } = answer
  const kind = classifyStatus(status)
  if (kind === 'accepted' || kind === 'refused') return answer
  endCheck(inconclusive(`${method} ${url} was answered with HTTP ${status}, which is no verdict`))
}

/** How the kit's clients of both registries reach the one under test. */
export function createRequestRegistry(http: HttpClient, baseUrl: string): RequestRegistry {
  return async (path, request) => requireVerdict(await http.request(`${baseUrl}${path}`, request))
}
