import { z } from 'zod'
import { type Power, zPower } from '#core/power/power.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import { dependencyUnavailable } from '#kit/errors.ts'
import type { Runtime } from '#kit/runtime.ts'

const zOrganization = z.looseObject({
  organization_identifier: z.string().optional(),
  role: z.looseObject({ policies: z.array(zPower) }).nullish(),
})

/** Returns the powers that an organization may grant; empty if it may not grant any. */
export type ReadAuthorizedPowers = (
  organizationIdentifier: string,
  authorization: string,
) => Promise<readonly Power[]>

/**
 * The management API. An unclear response authorizes nothing: it is a server error (503).
 *
 * @row 1.resources-and-their-fields/power-object.6
 * @assumption A-24
 */
export function createManagementClient(baseUrl: string, runtime: Runtime): ReadAuthorizedPowers {
  const client = createHttpClient(runtime, {
    caller: 'issuer',
    dependency: 'management API',
    baseUrl,
    faults: ['management-down'],
  })
  return async (organizationIdentifier, authorization) => {
    const path = `/managements/organization/${encodeURIComponent(organizationIdentifier)}`
    // RFC 9110, 11.1 and 11.4: a caller may use any case and several spaces.
    const bearer = authorization.replace(/^Bearer +/i, 'Bearer ')
    const answer = await client.getJson(path, { authorization: bearer })
    if (answer.status === 404) return []
    const parsed = zOrganization.safeParse(answer.json)
    const about = parsed.data?.organization_identifier ?? organizationIdentifier
    if (answer.status === 200 && parsed.success && about === organizationIdentifier) {
      return parsed.data.role?.policies ?? []
    }
    throw dependencyUnavailable(
      'The management API did not return the authorized powers. Try again later.',
      `${path} returned ${answer.status}: ${answer.text.slice(0, 500)}`,
    )
  }
}
