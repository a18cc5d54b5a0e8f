import type { Mandate } from '#core/lear-credential/z-lear-credential.ts'
import type { TxCode } from '#core/oid4vci/credential-offer/z-credential-offer.ts'
import type { IssuerDependencies } from '../issuer-dependencies.ts'
import { createRecord } from './create-record.ts'
import { selectProfile } from './select-profile.ts'

export interface CustomOfferRequest {
  readonly mandate: Mandate
  /** Default: the type for representatives. */
  readonly vcType?: string
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
  readonly credentialId: string
}

/**
 * Makes a pending record and an offer with just these properties, through the Connector as any
 * other, for flows that the two issuance endpoints do not reach. Whoever calls this has to know that
 * the mandate may be given: nobody is asked.
 */
export async function createCustomOffer(
  request: CustomOfferRequest,
  dependencies: IssuerDependencies,
): Promise<CustomOffer> {
  const { config, records } = dependencies
  const { mandate, vcType = config.representativeVcType, delivery } = request
  const { type, connector } = selectProfile(vcType, dependencies)
  const record = createRecord(type, mandate.mandator.organizationIdentifier, mandate)
  await records.create(record)
  const { code, link, pin } = await connector.createOffer({
    vcType,
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
