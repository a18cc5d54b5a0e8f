import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import { type Power, unauthorizedPowers } from '#core/power/power.ts'
import type { ConnectorClient } from '../adapters/connector-client.ts'
import type { NewRecord } from '../adapters/record-store.ts'
import type { IssuerConfig } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { type BearerClaims, readBearerClaims, readOwnPowers } from '../domain/bearer-claims.ts'
import { createMandate, type MandateeData } from '../domain/create-mandate.ts'
import type { MailLanguage } from '../domain/offer-mail.ts'
import {
  connectorProfileNotConfigured,
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
export function selectProfile(
  vcType: string,
  { config, connectors }: Dependencies,
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
  { config, readAuthorizedPowers }: Dependencies,
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
  dependencies: Dependencies,
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
  dependencies: Dependencies,
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
  dependencies: Dependencies,
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
