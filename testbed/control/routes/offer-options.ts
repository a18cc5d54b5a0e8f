import { z } from 'zod'
import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import type { Power } from '#core/power/power.ts'
import type { Organization } from '#scenarios/harness/z-testbed-file.ts'
import { createMandate } from '#services/issuer/domain/create-mandate.ts'
import type { RunningEnvironment } from '../../services/running-environment.ts'
import { unknownOrganization } from '../errors.ts'

/** Options of an offer, independent of what creates it (interfaces, section 4). */
export const zOfferOptions = z.strictObject({
  tx_code: z
    .strictObject({
      length: z.int().min(1).max(64).optional(),
      input_mode: z.enum(['numeric', 'text']).optional(),
      description: z.string().min(1).max(300).optional(),
    })
    .optional()
    .describe('Requires a PIN from the wallet'),
  deferred_seconds: z.int().min(0).max(86_400).optional(),
  by: z.enum(['value', 'reference']).default('value'),
  expires_in: z.int().min(1).max(86_400).optional().describe('Seconds'),
})

function findOrganization({ context }: RunningEnvironment, identifier?: string): Organization {
  const [first, ...others] = context.organizations
  if (identifier === undefined) return first
  const found = [first, ...others].find((each) => each.organizationIdentifier === identifier)
  if (found !== undefined) return found
  throw unknownOrganization()
}

export interface RepresentativeMandateOptions {
  /** Default: the first organization. */
  readonly organizationIdentifier?: string | undefined
  /** Default: all powers that the organization may grant. */
  readonly power?: readonly Power[] | undefined
}

/** The mandate of an organization's representative; 404 `unknown_organization`. */
export function createRepresentativeMandate(
  running: RunningEnvironment,
  { organizationIdentifier: identifier, power }: RepresentativeMandateOptions,
): Mandate {
  const organization = findOrganization(running, identifier)
  const { organizationIdentifier, representative, authorizedPowers } = organization
  const { email, userIdentifier, givenName: firstName, familyName: lastName } = representative
  const person = { email, firstName, lastName }
  return createMandate(
    { organizationIdentifier, organization: organization.organization, userIdentifier, ...person },
    { employeeId: userIdentifier, ...person },
    power ?? authorizedPowers,
  )
}
