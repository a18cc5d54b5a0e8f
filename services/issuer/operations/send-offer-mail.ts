import { randomUUID } from 'node:crypto'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { seal, unseal } from '#kit/secrets.ts'
import type { Mailer } from '../adapters/mail-client.ts'
import type { KeptOffer, MailOutcome } from '../adapters/mail-outbox.ts'
import type { Dependencies } from '../dependencies.ts'
import { createOfferMail } from '../domain/offer-mail.ts'
import { connectorProfileNotConfigured } from '../errors.ts'
import type { MailRow, RecordRow } from '../tables.ts'

const qrContentId = 'credential-offer-qr'

export interface SendOfferMailDependencies
  extends Pick<Dependencies, 'config' | 'runtime' | 'records' | 'connectors'> {
  readonly mailer: Mailer
}

/**
 * Creates an offer and emails it. The offer's lifetime starts only now, so that a delayed email does
 * not contain an expired QR code. A mail server may have accepted an email without being able to
 * confirm it: during the first half of the offer's lifetime, a retry sends the same email under the
 * same Message-ID. A record that is no longer pending, or an offer that was redeemed meanwhile,
 * needs no mail. Throws `connector_error` if there is no offer.
 *
 * @assumption A-41
 */
export async function sendOfferMail(
  mail: MailRow,
  keepOffer: (offer: KeptOffer) => Promise<void>,
  dependencies: SendOfferMailDependencies,
): Promise<MailOutcome> {
  const { config, runtime, records, mailer } = dependencies
  const record = await records.findById(mail.record_id)
  if (record?.status !== 'pending') return 'cancelled'
  const expiresIn = config.employeeQrExpirationTime ?? config.qrExpirationTime
  let offer = keptOfferOf(mail, expiresIn, dependencies)
  if (!offer) {
    const link = await makeOffer(record, expiresIn, dependencies)
    if (link === undefined) return 'sent'
    offer = {
      offer_link: link,
      offer_expires_at: runtime.clock.seconds() + expiresIn,
      message_id: `<${randomUUID()}@${new URL(config.baseUrl).hostname}>`,
    }
    await keepOffer({ ...offer, offer_link: seal(link, config.issuerPrivateKey) })
  }
  const { mandator, mandatee }: Mandate = JSON.parse(record.mandate)
  const content = createOfferMail({
    language: mail.language,
    organization: mandator.organization,
    firstName: mandatee.firstName,
    link: offer.offer_link,
    lifetimeSeconds: expiresIn,
    qrContentId,
  })
  return mailer.send({
    ...content,
    to: mail.recipient,
    messageId: offer.message_id,
    qrPng: createQrPng(offer.offer_link),
    qrContentId,
  })
}

/** The offer of the previous attempt during the first half of its lifetime (seconds). */
function keptOfferOf(
  { offer_link: sealed, offer_expires_at, message_id }: MailRow,
  expiresIn: number,
  { config, runtime }: SendOfferMailDependencies,
): KeptOffer | undefined {
  const until = runtime.clock.seconds() + expiresIn / 2
  const offer_link = sealed === null ? undefined : unseal(sealed, config.issuerPrivateKey)
  if (offer_link === undefined || offer_expires_at === null || message_id === null) return undefined
  // An expiry later than that of a new offer means that the clock has gone back.
  return offer_expires_at >= until ? { offer_link, offer_expires_at, message_id } : undefined
}

/** The link of a new offer; undefined if the holder has redeemed the previous one. */
async function makeOffer(
  { profile, vc_type: vcType, subject_id: subjectId }: RecordRow,
  expiresIn: number,
  { connectors }: SendOfferMailDependencies,
): Promise<string | undefined> {
  const connector = connectors.get(profile)
  if (!connector) throw connectorProfileNotConfigured(profile)
  try {
    const { code } = await connector.createOffer({ vcTypes: [vcType], subjectId, expiresIn })
    return await connector.readOfferLink(code)
  } catch (error) {
    if (isTestbedError(error) && error.code === 'offer_redeemed') return undefined
    throw error
  }
}
