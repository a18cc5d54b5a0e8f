import { z } from 'zod'
import { createControlClient } from '#scenarios/harness/control-client.ts'
import type { Environment, Organization, TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { readTestbedFile } from '#testbed/runs/running-testbed.ts'
import {
  environmentNotRunning,
  issuerRefused,
  testbedNotRunning,
  unknownOrganization,
} from './errors.ts'

/** Options of a command that acts as an organization's portal. */
export interface PortalOptions {
  readonly data: string
  readonly env: string
  readonly organization?: string
}

/** An organization of the running testbed, whose representative calls the issuer. */
export interface Portal {
  readonly environment: Environment
  readonly testbed: TestbedFile
  readonly organization: Organization
  /** Calls `/issuance/…` with the representative's Bearer token; throws `issuer_refused`. */
  call(path: string, body: unknown): Promise<Response>
}

const zRecord = z.looseObject({
  credential_id: z.string(),
  subject_id: z.string(),
  vc_type: z.string(),
  status: z.string(),
  organization_identifier: z.string(),
  creation_at: z.string(),
})

/** A record of the issuer (profile/issuer, Records). */
export type IssuedRecord = z.infer<typeof zRecord>

/** The records of the portal's organization, newest first. */
export async function listRecords({ call, organization }: Portal): Promise<IssuedRecord[]> {
  const body = { organization_identifiers: [organization.organizationIdentifier] }
  return z.array(zRecord).parse(await (await call('credential', body)).json())
}

/**
 * The portals of the organizations of a running testbed; only that of `--organization`, an
 * identifier or a name, if it is given.
 * @throws TestbedError `not_running`, `unknown_organization`
 */
export async function openPortals(options: PortalOptions): Promise<readonly [Portal, ...Portal[]]> {
  const { data, env, organization: wanted } = options
  const testbed = await readTestbedFile(data)
  if (testbed === undefined) throw testbedNotRunning(data)
  const environment = testbed.environments[env]
  if (environment === undefined)
    throw environmentNotRunning({ data, environment: env, isRunning: true })
  const { organizations } = environment
  const chosen = organizations.filter(
    ({ organizationIdentifier, organization }) =>
      wanted === undefined || [organizationIdentifier, organization].includes(wanted),
  )
  const [first, ...others] = chosen.map((each) => openPortal(testbed, env, environment, each))
  if (first !== undefined) return [first, ...others]
  throw unknownOrganization(
    wanted ?? '',
    organizations.map((each) => `${each.organizationIdentifier} (${each.organization})`),
  )
}

const limitMilliseconds = 30_000

function openPortal(
  testbed: TestbedFile,
  env: string,
  environment: Environment,
  organization: Organization,
): Portal {
  const { organizationIdentifier } = organization
  const signal = AbortSignal.timeout(limitMilliseconds)
  const control = createControlClient({
    ...testbed.control,
    environment: env,
    scenarioId: () => 'command-line',
    signal,
  })
  return {
    testbed,
    environment,
    organization,
    async call(path, body) {
      const token = await control.createBearerToken({ organizationIdentifier })
      const response = await fetch(`${environment.issuerBaseUrl}/issuance/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
        redirect: 'error',
      })
      if (response.ok) return response
      throw issuerRefused(response.status, await response.text(), { path, body })
    },
  }
}
