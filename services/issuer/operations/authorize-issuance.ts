import type { JWTPayload } from 'jose'
import { type Power, unauthorizedPowers } from '#core/power/power.ts'
import { type BearerClaims, readBearerClaims, readOwnPowers } from '../domain/bearer-claims.ts'
import { missingData, powersNotAuthorized } from '../errors.ts'
import type { IssuerDependencies } from '../issuer-dependencies.ts'

/**
 * Checks that the token carries the required claims and that the organization may grant every
 * requested power (Document 1, Power object); gives the claims. Throws the documented 400s.
 *
 * @assumption A-24 A-40
 */
export async function authorizeIssuance(
  payload: JWTPayload,
  requested: readonly Power[],
  authorization: string,
  { config, readAuthorizedPowers }: IssuerDependencies,
): Promise<BearerClaims> {
  const read = readBearerClaims(payload)
  if (!read.ok) throw missingData(read.missing)
  const policies = await readAuthorizedPowers(read.claims.organizationIdentifier, authorization)
  if (unauthorizedPowers(requested, policies).length > 0) throw powersNotAuthorized()
  if (config.requireOwnPowers && unauthorizedPowers(requested, readOwnPowers(payload)).length > 0) {
    throw powersNotAuthorized()
  }
  return read.claims
}
