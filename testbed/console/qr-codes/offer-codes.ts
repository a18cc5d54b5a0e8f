import {
  type CredentialOfferWire,
  createCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { createRepresentativeMandate } from '#testbed/control/routes/offers.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { CreatedCode, TestCode } from './test-codes.ts'

type OfferOptions = Omit<
  Parameters<RunningEnvironment['services']['issuer']['createOffer']>[0],
  'mandate'
>

interface OfferCode extends TestCode {
  /** Of the offer that the issuer creates. */
  readonly options?: Partial<OfferOptions>
  /** Changes a valid offer by value. */
  readonly change?: (offer: CredentialOfferWire) => object
  /** Changes the link. */
  readonly changeLink?: (link: string) => string
}

/** Offers to test a wallet with: valid ones of each kind, and one for each rule of an offer. */
export const offerCodes: readonly OfferCode[] = [
  {
    name: 'offer-by-reference',
    texts: {
      en: { title: 'Offer by reference', about: 'The link contains the address of the offer.' },
      es: {
        title: 'Oferta por referencia',
        about: 'El enlace contiene la dirección de la oferta.',
      },
    },
    options: { delivery: 'reference' },
  },
  {
    name: 'offer-by-value',
    texts: {
      en: { title: 'Offer by value', about: 'The link contains the whole offer.' },
      es: { title: 'Oferta por valor', about: 'El enlace contiene la oferta completa.' },
    },
  },
  {
    name: 'offer-with-pin',
    texts: {
      en: { title: 'Offer with a PIN', about: 'The wallet must ask for 6 digits.' },
      es: { title: 'Oferta con PIN', about: 'La cartera debe pedir 6 dígitos.' },
    },
    options: { delivery: 'reference', txCode: { length: 6, inputMode: 'numeric' } },
  },
  {
    name: 'offer-with-text-pin',
    texts: {
      en: { title: 'Offer with a PIN of letters', about: 'The wallet must show a full keyboard.' },
      es: {
        title: 'Oferta con PIN de letras',
        about: 'La cartera debe mostrar un teclado completo.',
      },
    },
    options: { delivery: 'reference', txCode: { length: 8, inputMode: 'text' } },
  },
  {
    name: 'offer-deferred',
    texts: {
      en: {
        title: 'Deferred credential',
        about: 'The credential is ready after 20 seconds. The wallet must poll.',
      },
      es: {
        title: 'Credencial diferida',
        about: 'La credencial está lista a los 20 segundos. La cartera debe volver a consultar.',
      },
    },
    options: { delivery: 'reference', deferredSeconds: 20 },
  },
  {
    name: 'offer-expired',
    rejected: true,
    statement: '1.limits.1',
    texts: {
      en: {
        title: 'Expired offer',
        about:
          'The code of the offer expires after one second. The wallet must show the error of the issuer.',
      },
      es: {
        title: 'Oferta caducada',
        about:
          'El código de la oferta caduca al segundo. La cartera debe mostrar el error del emisor.',
      },
    },
    options: { delivery: 'reference', expiresIn: 1 },
  },
  {
    name: 'offer-without-issuer',
    rejected: true,
    rule: 'offer.credential-issuer',
    texts: {
      en: { title: 'Offer without an issuer', about: 'credential_issuer is missing.' },
      es: { title: 'Oferta sin emisor', about: 'Falta credential_issuer.' },
    },
    change: ({ credential_issuer: _issuer, ...offer }) => offer,
  },
  {
    name: 'offer-without-credentials',
    rejected: true,
    rule: 'offer.credentials',
    texts: {
      en: { title: 'Offer without credentials', about: 'credentials is an empty list.' },
      es: { title: 'Oferta sin credenciales', about: 'credentials es una lista vacía.' },
    },
    change: (offer) => ({ ...offer, credentials: [] }),
  },
  {
    name: 'offer-of-unknown-type',
    rejected: true,
    rule: 'offer.credentials',
    texts: {
      en: {
        title: 'Offer of an unknown type',
        about: "The credential is not in the issuer's metadata.",
      },
      es: {
        title: 'Oferta de un tipo desconocido',
        about: 'La credencial no está en los metadatos del emisor.',
      },
    },
    change: (offer) => ({ ...offer, credentials: ['NoSuchCredential'] }),
  },
  {
    name: 'offer-without-code',
    rejected: true,
    rule: 'offer.pre-authorized-code',
    texts: {
      en: { title: 'Offer without a code', about: 'The grant contains no pre-authorized_code.' },
      es: { title: 'Oferta sin código', about: 'La concesión no contiene pre-authorized_code.' },
    },
    change: (offer) => ({ ...offer, grants: { [preAuthorizedCodeGrant]: {} } }),
  },
  {
    name: 'offer-not-json',
    rejected: true,
    rule: 'offer.shape',
    texts: {
      en: { title: 'Offer that is not JSON', about: 'The offer in the link is cut off.' },
      es: { title: 'Oferta que no es JSON', about: 'La oferta del enlace está cortada.' },
    },
    changeLink: (link) => link.slice(0, -9),
  },
  {
    name: 'offer-delivered-twice',
    rejected: true,
    rule: 'offer.delivery',
    texts: {
      en: {
        title: 'Two offers in one link',
        about: 'The link contains credential_offer and credential_offer_uri.',
      },
      es: {
        title: 'Dos ofertas en un enlace',
        about: 'El enlace contiene credential_offer y credential_offer_uri.',
      },
    },
    changeLink: (link) => `${link}&credential_offer_uri=https%3A%2F%2Fissuer.example%2Foffer`,
  },
  {
    name: 'offer-not-found',
    rejected: true,
    rule: 'offer.reference',
    texts: {
      en: {
        title: 'Offer that does not exist',
        about: 'The issuer returns 404 at credential_offer_uri.',
      },
      es: {
        title: 'Oferta que no existe',
        about: 'El emisor responde 404 en credential_offer_uri.',
      },
    },
    options: { delivery: 'reference' },
    changeLink: (link) => `${link}-gone`,
  },
]

/** Creates a fresh offer for a code. */
export async function createOfferCode(
  running: RunningEnvironment,
  { options, change, changeLink }: OfferCode,
): Promise<CreatedCode> {
  const { offerUri, pin } = await running.services.issuer.createOffer({
    mandate: createRepresentativeMandate(running, {}),
    delivery: 'value',
    ...options,
  })
  const link = change === undefined ? offerUri : createCredentialOfferUri(changed(offerUri, change))
  return { link: changeLink?.(link) ?? link, ...(pin !== undefined && { pin }) }
}

/** The wire form of an offer in a link, changed on purpose. */
function changed(link: string, change: NonNullable<OfferCode['change']>): CredentialOfferWire {
  const offer = new URL(link).searchParams.get('credential_offer') ?? ''
  return change(JSON.parse(offer)) as CredentialOfferWire
}
