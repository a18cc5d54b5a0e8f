import { type Mandate, zMandate } from '#core/lear-credential/z-lear-credential.ts'
import { createQrPng } from '#core/qr/create-qr-png.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { ConnectorClient } from '../adapters/connector-client.ts'
import type { MailRow } from '../adapters/issuer-tables.ts'
import type { MailOutcome } from '../adapters/mail-outbox.ts'
import type { Mailer } from '../adapters/mailer.ts'
import type { RecordStore } from '../adapters/record-store.ts'
import type { IssuerConfig } from '../config.ts'
import { createOfferMail } from '../domain/create-offer-mail.ts'
import { connectorProfileNotConfigured } from '../errors.ts'

const qrContentId = 'credential-offer-qr'

export interface SendOfferMailDependencies {
  readonly config: IssuerConfig
  readonly runtime: Runtime
  readonly records: RecordStore
  readonly connectors: ReadonlyMap<string, ConnectorClient>
  readonly mailer: Mailer
}

/**
 * Has an offer made and mails it; the offer's lifetime begins only now, so that a delayed mail
 * carries no dead QR. A record that is no longer pending needs no mail any more. Throws
 * `connector_error` where there is no offer; a mail server that does not take the mail is `later`.
 *
 * @assumption A-41
 */
export async function sendOfferMail(
  mail: MailRow,
  { config, runtime, records, connectors, mailer }: SendOfferMailDependencies,
): Promise<MailOutcome> {
  const record = await records.findById(mail.record_id)
  if (record?.status !== 'pending') return 'cancelled'
  const connector = connectors.get(record.profile)
  if (!connector) throw connectorProfileNotConfigured(record.profile)
  const expiresIn = config.employeeQrExpirationTime ?? config.qrExpirationTime
  const { code } = await connector.createOffer({
    vcType: record.vc_type,
    subjectId: record.subject_id,
    expiresIn,
  })
  const link = await connector.readOfferLink(code)
  const { mandator, mandatee }: Mandate = zMandate.parse(JSON.parse(record.mandate))
  const content = createOfferMail({
    organization: mandator.organization,
    firstName: mandatee.firstName,
    link,
    lifetimeSeconds: expiresIn,
    qrContentId,
  })
  try {
    await mailer.send({ ...content, to: mail.recipient, qrPng: createQrPng(link), qrContentId })
    return 'sent'
  } catch (error) {
    runtime.log.warn({ service: 'issuer', err: error, recordId: record.id }, 'mail not taken over')
    return 'later'
  }
}
