/** Languages in which the mails of the issuer are written. */
export const mailLanguages = ['en', 'es'] as const
export type MailLanguage = (typeof mailLanguages)[number]

export interface OfferMailTexts {
  readonly subject: (organization: string) => string
  readonly greeting: (firstName: string) => string
  readonly offer: (organization: string) => string
  readonly openLink: string
  readonly scanCode: string
  readonly orScan: string
  readonly or: string
  readonly openOffer: string
  readonly onDevice: string
  readonly lifetime: (duration: string) => string
  readonly unexpected: string
  readonly imageDescription: string
  /** Singular and plural of day, hour, minute, second. */
  readonly units: readonly (readonly [singular: string, plural: string])[]
}

/** What the mail with an offer says, the same in each language. */
export const offerMailTexts: Readonly<Record<MailLanguage, OfferMailTexts>> = {
  en: {
    subject: (organization) => `Your credential from ${organization}`,
    greeting: (firstName) => `Hello ${firstName},`,
    offer: (organization) =>
      `${organization} offers you a credential that lets you act on its behalf.`,
    openLink: 'Open this link on the phone or computer that holds your wallet:',
    scanCode: 'Scan this QR code with your wallet:',
    orScan: 'Or scan the QR code of this mail with your wallet.',
    or: 'Or',
    openOffer: 'open the offer',
    onDevice: 'on the device that holds your wallet.',
    lifetime: (duration) => `Both are valid for ${duration} from now and work once.`,
    unexpected: 'If you did not expect this mail, ignore it: nothing happens without your wallet.',
    imageDescription: 'QR code of the credential offer',
    units: [
      ['day', 'days'],
      ['hour', 'hours'],
      ['minute', 'minutes'],
      ['second', 'seconds'],
    ],
  },
  es: {
    subject: (organization) => `Su credencial de ${organization}`,
    greeting: (firstName) => `Hola, ${firstName}:`,
    offer: (organization) =>
      `${organization} le ofrece una credencial que le permite actuar en su nombre.`,
    openLink: 'Abra este enlace en el teléfono o el ordenador donde tiene su cartera digital:',
    scanCode: 'Escanee este código QR con su cartera digital:',
    orScan: 'O escanee con su cartera digital el código QR de este correo.',
    or: 'O',
    openOffer: 'abra la oferta',
    onDevice: 'en el dispositivo donde tiene su cartera digital.',
    lifetime: (duration) =>
      `Ambos son válidos durante ${duration} a partir de ahora y funcionan una sola vez.`,
    unexpected: 'Si no esperaba este correo, ignórelo: sin su cartera digital no ocurre nada.',
    imageDescription: 'Código QR de la oferta de credencial',
    units: [
      ['día', 'días'],
      ['hora', 'horas'],
      ['minuto', 'minutos'],
      ['segundo', 'segundos'],
    ],
  },
}
