import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import type { TxCode } from '#core/oid4vci/credential-offer.ts'
import type { Dependencies } from '../dependencies.ts'
import { differentConnectorProfiles } from '../errors.ts'
import { createRecord, selectProfile } from './issuance.ts'

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
  dependencies: Dependencies,
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
