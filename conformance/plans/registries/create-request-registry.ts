import type { RequestRegistry } from '#core/registries/registry-request.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import { requireVerdict } from './require-verdict.ts'

/** How the kit's clients of both registries reach the one under test. */
export function createRequestRegistry(http: HttpClient, baseUrl: string): RequestRegistry {
  return async (path, request) => requireVerdict(await http.request(`${baseUrl}${path}`, request))
}
