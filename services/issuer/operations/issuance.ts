import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import type { TxCode } from '#core/oid4vci/credential-offer.ts'
import type { Power } from '#core/power/power.ts'
import { unauthorizedPowers } from '#core/power/power.ts'
import type { ConnectorClient } from '../adapters/connector-client.ts'
import type { NewRecord } from '../adapters/record-store.ts'
import type { IssuerConfig } from '../config.ts'
import type { IssuerDependencies } from '../dependencies.ts'
import { type BearerClaims, readBearerClaims, readOwnPowers } from '../domain/bearer-claims.ts'
import { createMandate, type MandateeData } from '../domain/create-mandate.ts'
import type { MailLanguage } from '../domain/offer-mail.ts'
import {
  connectorProfileNotConfigured,
  differentConnectorProfiles,
  missingData,
  powersNotAuthorized,
  recipientRefused,
  vcTypeNotConfigured,
} from '../errors.ts'

/** The sender of an issuance request. */
interface Sender {
  /** Payload of the Bearer token. */
  readonly payload: JWTPayload
  /** The Authorization header with the token. */
  readonly authorization: string
}

interface SelectedProfile {
  readonly type: CredentialType
  readonly connector: ConnectorClient
}

/**
 * Returns the configured credential type and the Connector of its profile. Throws the documented
 * 500s if one of them is not configured (profile/issuer, Errors).
 */
function selectProfile(
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
 * Checks that the token has the required claims and that the organization may grant every requested
 * power (profile/issuer, Powers); returns the claims. Throws the documented 400s.
 *
 * @assumption A-24 A-40
 */
async function authorizeIssuance(
  { payload, authorization }: Sender,
  requested: readonly Power[],
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
 * The members of a new record: its own identifiers, and a credential id created here, so that the
 * record can be revoked from the start.
 *
 * @assumption A-39
 */
function createRecord(
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

interface Order {
  readonly vcType: string
  readonly power: readonly Power[]
  /** Default: the sender. */
  readonly mandatee?: MandateeData
}

/** Prepares the record of an authorized issuance, without storing it. */
async function prepareRecord(
  { vcType, power, mandatee }: Order,
  sender: Sender,
  dependencies: IssuerDependencies,
) {
  const claims = await authorizeIssuance(sender, power, dependencies)
  const { type, connector } = selectProfile(vcType, dependencies)
  const { organizationIdentifier, userIdentifier, email, firstName, lastName } = claims
  const self = { employeeId: userIdentifier, email, firstName, lastName }
  const mandate = createMandate(claims, mandatee ?? self, power)
  return { record: createRecord(type, organizationIdentifier, mandate), connector }
}

/** Issues for the sender of the request; returns the QR code of the offer as a PNG. */
export async function issueForRepresentative(
  power: readonly Power[],
  sender: Sender,
  dependencies: IssuerDependencies,
): Promise<Uint8Array> {
  const { config, records } = dependencies
  const order = { vcType: config.representativeVcType, power }
  const { record, connector } = await prepareRecord(order, sender, dependencies)
  await records.create(record)
  const { code } = await connector.createOffer({
    vcTypes: [record.vc_type],
    subjectId: record.subject_id,
    expiresIn: config.qrExpirationTime,
  })
  return connector.readOfferQr(code)
}

export interface EmployeeOrder extends Omit<MandateeData, 'employeeId'> {
  readonly power: readonly Power[]
  /** Default: generated. */
  readonly employeeId?: string | undefined
  /** Default: the organization's, otherwise the issuer's. */
  readonly language?: MailLanguage | undefined
}

/**
 * Issues for an employee, who gets the offer by mail. `queued` means that the email will be sent
 * later.
 * @throws TestbedError `recipient_refused`, in addition to those of every issuance
 * @assumption A-41
 */
export async function issueForEmployee(
  { power, language, employeeId = randomUUID(), ...person }: EmployeeOrder,
  sender: Sender,
  dependencies: IssuerDependencies,
): Promise<'sent' | 'queued'> {
  const { config, records, mails } = dependencies
  const order = { vcType: config.employeeVcType, power, mandatee: { employeeId, ...person } }
  const { record } = await prepareRecord(order, sender, dependencies)
  const spoken = language ?? languageOf(record.organization_identifier, config)
  const mail = mails.prepare(record.id, person.email, spoken)
  await records.create(record, mail)
  const outcome = await mails.attempt(mail).catch(async (error: unknown) => {
    // The client is informed that nothing was sent, so nothing may be sent later.
    await mails.cancel(mail)
    throw error
  })
  if (outcome === 'refused') throw recipientRefused()
  return outcome === 'sent' ? 'sent' : 'queued'
}

/** Identifiers are arbitrary strings: none may match an inherited member of the object. */
function languageOf(
  organizationIdentifier: string,
  { organizationLanguages, mailLanguage }: IssuerConfig,
) {
  return Object.hasOwn(organizationLanguages, organizationIdentifier)
    ? (organizationLanguages[organizationIdentifier] ?? mailLanguage)
    : mailLanguage
}

export interface CustomOfferRequest {
  readonly mandate: Mandate
  /** One credential of each type. Default: the type for representatives. */
  readonly vcTypes?: readonly string[]
  readonly txCode?: TxCode
  /** Seconds between the wallet's request and the credential's availability. */
  readonly deferredSeconds?: number
  /** Default: as the Connector is configured. */
  readonly delivery?: 'value' | 'reference'
  /** Seconds. Default: QR_EXPIRATION_TIME. */
  readonly expiresIn?: number
}

export interface CustomOffer {
  readonly offerUri: string
  /** The PIN, if the offer requires one. */
  readonly pin?: string
  readonly subjectId: string
  /** Id of the credential of the first type. */
  readonly credentialId: string
}

/**
 * Creates a pending record for each type and an offer with exactly these properties, through the
 * Connector like any other, for flows beyond the two issuance endpoints. Does not check that the
 * mandate may be granted; the caller must. Throws `different_connector_profiles` for types that no
 * single Connector can offer together.
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
  if (!first) throw new TypeError('An offer requires a credential type')
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
