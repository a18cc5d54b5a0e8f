import { randomInt, randomUUID } from 'node:crypto'
import {
  type CredentialOfferWire,
  createCredentialOffer,
  createCredentialOfferReferenceUri,
  createCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import { digest, randomToken, seal } from '#kit/secrets.ts'
import { digestOfPin } from '../adapters/issuance-store.ts'
import { type ConnectorConfig, credentialIssuerOf } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { subjectIdInUse, unsupportedCredentialType } from '../errors.ts'
import type { IssuanceRow } from '../tables.ts'

// Without 0, O, 1, I and l, which are easily confused.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A random PIN of the given length: digits, or letters and digits. */
function createPin(inputMode: 'numeric' | 'text', length: number): string {
  const alphabet = inputMode === 'numeric' ? '0123456789' : letters
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

type OfferRow = Pick<IssuanceRow, 'vc_names' | 'tx_code'>

/** The name in the address of an offer by reference; it can only be computed from the code. */
const referenceOf = (preauthCode: string): string => digest(`reference of ${preauthCode}`)

/** The offer of an issuance in its wire format. */
export function createOfferWire(
  { vc_names, tx_code }: OfferRow,
  preauthCode: string,
  config: ConnectorConfig,
): CredentialOfferWire {
  return createCredentialOffer({
    credentialIssuer: credentialIssuerOf(config),
    credentials: JSON.parse(vc_names),
    preAuthorizedCode: preauthCode,
    ...(tx_code === null ? {} : { txCode: JSON.parse(tx_code) }),
  })
}

/** The link in a QR code, an email or a redirect. */
export function createOfferLink(
  issuance: OfferRow,
  preauthCode: string,
  config: ConnectorConfig,
  delivery: 'value' | 'reference' = config.offerDelivery,
): string {
  return delivery === 'value'
    ? createCredentialOfferUri(createOfferWire(issuance, preauthCode, config))
    : createCredentialOfferReferenceUri(
        `${credentialIssuerOf(config)}/offers/${referenceOf(preauthCode)}`,
      )
}

interface RequestedPin {
  /** Default: 6, or the length of the value. */
  readonly length?: number | undefined
  readonly inputMode: 'numeric' | 'text'
  readonly description?: string | undefined
  /** Default: a random one. */
  readonly value?: string | undefined
}

export interface OfferOrder {
  /** Names of credential types; one credential of each is issued. */
  readonly vcNames: readonly string[]
  /** Unique per issuance. */
  readonly subjectId: string
  /** Seconds. Default: as configured. */
  readonly expiresIn?: number | undefined
  /** Requires a PIN. */
  readonly txCode?: RequestedPin | undefined
  /** Seconds between the wallet's request and the credential's availability. */
  readonly deferredSeconds?: number | undefined
  /** Recipe of a prepared credential; without it, the issuer's claims are signed. */
  readonly recipe?: string | undefined
  /** Whether the link contains the offer or its address. Default: as configured. */
  readonly delivery?: 'value' | 'reference' | undefined
}

export interface MadeOffer {
  /** The link in a QR code, an email or a redirect. */
  readonly offerUri: string
  readonly preauthCode: string
  /** Seconds. */
  readonly expiresIn: number
  readonly pin?: string
}

const defaultPinLength = 6

/**
 * Creates an offer for a subject. A subject has one offer: a new one replaces an earlier,
 * unredeemed offer. Throws a TestbedError `unsupported_credential_type`, or
 * `subject_id_in_use` if the subject's offer has been redeemed.
 */
export async function createOffer(
  order: OfferOrder,
  { config, runtime, issuances }: Dependencies,
): Promise<MadeOffer> {
  const unknown = order.vcNames.filter(
    (name) => !config.credentialTypes.some(({ vcType }) => vcType === name),
  )
  if (unknown.length > 0) {
    throw unsupportedCredentialType(`This connector does not issue ${unknown.join(', ')}.`)
  }
  const preauthCode = randomToken()
  const reference = referenceOf(preauthCode)
  const expiresIn = order.expiresIn ?? config.offerLifetimeSeconds
  const txCode = order.txCode && readTxCode(order.txCode)
  const offer = {
    id: randomUUID(),
    subject_id: order.subjectId,
    preauth_code_digest: digest(preauthCode),
    reference_digest: digest(reference),
    sealed_code: seal(preauthCode, reference),
    vc_names: JSON.stringify([...new Set(order.vcNames)]),
    tx_code: txCode ? JSON.stringify(txCode.shown) : null,
    pin_digest: txCode ? digestOfPin(preauthCode, txCode.pin) : null,
    deferred_seconds: order.deferredSeconds ?? config.deferredSeconds ?? null,
    recipe: order.recipe ?? null,
    offer_expires_at: runtime.clock.seconds() + expiresIn,
  }
  if (!(await issuances.offer(offer))) throw subjectIdInUse()
  const offerUri = createOfferLink(offer, preauthCode, config, order.delivery)
  return { offerUri, preauthCode, expiresIn, ...(txCode ? { pin: txCode.pin } : {}) }
}

function readTxCode({ length, inputMode, description, value }: RequestedPin) {
  const pin = value ?? createPin(inputMode, length ?? defaultPinLength)
  const what = inputMode === 'numeric' ? 'digits' : 'characters'
  const shown = {
    length: pin.length,
    inputMode,
    description: description ?? `Enter the ${pin.length} ${what} that you received.`,
  }
  return { pin, shown }
}
