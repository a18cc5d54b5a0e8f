import { z } from 'zod'
import { type Power, zPower } from '#core/power/power.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import { dependencyUnavailable } from '#kit/errors.ts'
import type { Runtime } from '#kit/runtime.ts'

const zOrganization = z.looseObject({
  organization_identifier: z.string().optional(),
  role: z.looseObject({ policies: z.array(zPower) }).nullish(),
})

/** Gives the powers that an organization may grant; empty for one that may grant nothing. */
export type ReadAuthorizedPowers = (
  organizationIdentifier: string,
  authorization: string,
) => Promise<readonly Power[]>

/**
 * The management API. Whatever is no clear answer authorises nothing: it is the server's fault (503).
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
    const answer = await client.getJson(path, { authorization })
    if (answer.status === 404) return []
    const parsed = zOrganization.safeParse(answer.json)
    const about = parsed.data?.organization_identifier ?? organizationIdentifier
    if (answer.status === 200 && parsed.success && about === organizationIdentifier) {
      return parsed.data.role?.policies ?? []
    }
    throw dependencyUnavailable(
      'The management API could not tell which powers are authorized. Try again later.',
      `${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`,
    )
  }
}
