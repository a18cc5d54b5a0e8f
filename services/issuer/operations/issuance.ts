import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import type { TxCode } from '#core/oid4vci/credential-offer.ts'
import type { Power } from '#core/power/power.ts'
import { unauthorizedPowers } from '#core/power/power.ts'
import type { ConnectorClient } from '../adapters/connector-client.ts'
import type { NewRecord } from '../adapters/record-store.ts'
import type { IssuerDependencies } from '../dependencies.ts'
import { type BearerClaims, readBearerClaims, readOwnPowers } from '../domain/bearer-claims.ts'
import {
  connectorProfileNotConfigured,
  differentConnectorProfiles,
  missingData,
  powersNotAuthorized,
  vcTypeNotConfigured,
} from '../errors.ts'

export interface SelectedProfile {
  readonly type: CredentialType
  readonly connector: ConnectorClient
}

/**
 * The configured credential type and the Connector of its profile. Throws the documented 500s where
 * one of them is not configured (Document 1, Errors).
 */
export function selectProfile(
  vcType: string,
  { config, connectors }: IssuerDependencies,
): SelectedProfile {
  const type = config.credentialTypes.find((configured) => configured.vcType === vcType)
  if (!type) throw vcTypeNotConfigured(vcType)
  const connector = connectors.get(type.connectorProfile)
  if (!connector) throw connectorProfileNotConfigured(type.connectorProfile)
  return { type, connector }
}

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

/**
 * A new record's members: its own identifiers, and the credential's, which is minted here so that
 * the record can be revoked from the start.
 *
 * @assumption A-39
 */
export function createRecord(
  { vcType, connectorProfile }: CredentialType,
  organizationIdentifier: string,
  mandate: Mandate,
  subjectId: string = randomUUID(),
): NewRecord {
  return {
    id: randomUUID(),
    vc_type: vcType,
    subject_id: subjectId,
    organization_identifier: organizationIdentifier,
    credential_id: `urn:uuid:${randomUUID()}`,
    profile: connectorProfile,
    mandate: JSON.stringify(mandate),
  }
}

export interface CustomOfferRequest {
  readonly mandate: Mandate
  /** One credential of each. Default: the type for representatives. */
  readonly vcTypes?: readonly string[]
  readonly txCode?: TxCode
  /** Seconds until the credential is ready after the wallet has asked for it. */
  readonly deferredSeconds?: number
  /** Default: as the Connector is configured. */
  readonly delivery?: 'value' | 'reference'
  /** Seconds. Default: QR_EXPIRATION_TIME. */
  readonly expiresIn?: number
}

export interface CustomOffer {
  readonly offerUri: string
  /** The PIN, where the offer asks for one. */
  readonly pin?: string
  readonly subjectId: string
  /** Of the first type. */
  readonly credentialId: string
}

/**
 * Makes a pending record for each type and an offer with just these properties, through the Connector as any
 * other, for flows that the two issuance endpoints do not reach. Whoever calls this has to know that
 * the mandate may be given: nobody is asked. Throws `different_connector_profiles` for types that
 * one Connector can't offer together.
 *
 * @assumption A-59
 */
export async function createCustomOffer(
  request: CustomOfferRequest,
  dependencies: IssuerDependencies,
): Promise<CustomOffer> {
  const { config, records } = dependencies
  const { mandate, vcTypes = [config.representativeVcType], delivery } = request
  const [first, ...others] = [...new Set(vcTypes)].map((name) => selectProfile(name, dependencies))
  if (!first) throw new TypeError('An offer needs a credential type')
  const { connector } = first
  if (others.some((other) => other.connector !== connector)) throw differentConnectorProfiles()
  const { organizationIdentifier } = mandate.mandator
  const record = createRecord(first.type, organizationIdentifier, mandate)
  await records.create(record)
  for (const { type } of others) {
    await records.create(createRecord(type, organizationIdentifier, mandate, record.subject_id))
  }
  const { code, link, pin } = await connector.createOffer({
    vcTypes: [first, ...others].map(({ type }) => type.vcType),
    subjectId: record.subject_id,
    expiresIn: request.expiresIn ?? config.qrExpirationTime,
    ...(request.txCode ? { txCode: request.txCode } : {}),
    ...(request.deferredSeconds === undefined ? {} : { deferredSeconds: request.deferredSeconds }),
    ...(delivery === undefined ? {} : { delivery }),
  })
  return {
    offerUri: link ?? (await connector.readOfferLink(code, delivery)),
    ...(pin === undefined ? {} : { pin }),
    subjectId: record.subject_id,
    credentialId: record.credential_id,
  }
}
