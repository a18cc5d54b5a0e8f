import { TestbedError } from '#core/errors/testbed-error.ts'
import type { IssuerConfig } from '../config.ts'
import { otherOrganization } from '../errors.ts'
import { readOwnPowers, readText } from './bearer-claims.ts'

type Reach = Pick<IssuerConfig, 'crossOrganizationPower' | 'requirePowerToManage'>

/**
 * Lets list and revoke pass for the organization of the token alone, or for whoever carries the
 * configured power; where the issuer is told to, they also need a power with the action itself.
 * Throws a TestbedError with status 403.
 *
 * @assumption A-40
 */
export function checkReach(
  payload: Readonly<Record<string, unknown>>,
  organizationIdentifiers: readonly string[],
  action: 'read' | 'delete',
  { crossOrganizationPower, requirePowerToManage }: Reach,
): void {
  const powers = readOwnPowers(payload)
  const isSupervisor =
    crossOrganizationPower !== undefined &&
    powers.some(
      (power) =>
        power.type === crossOrganizationPower.type &&
        power.domain === crossOrganizationPower.domain &&
        power.function === crossOrganizationPower.function &&
        power.action.includes(crossOrganizationPower.action),
    )
  if (isSupervisor) return
  const own = readText(payload, 'organization_identifier')
  if (own === undefined || organizationIdentifiers.some((identifier) => identifier !== own)) {
    throw otherOrganization()
  }
  if (!requirePowerToManage) return
  if (powers.some((power) => power.action.some((name) => name.toLowerCase() === action))) return
  throw new TestbedError({
    code: 'power_required',
    status: 403,
    message: `The token carries no power with the action ${action}`,
  })
}
