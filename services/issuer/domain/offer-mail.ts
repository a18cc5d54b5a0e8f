import { html } from '#core/html/html.ts'

/** Languages of the issuer's emails. */
export const mailLanguages = ['en', 'es'] as const
export type MailLanguage = (typeof mailLanguages)[number]

interface OfferMailTexts {
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

/** The texts of the email with an offer, equivalent in each language. */
const offerMailTexts: Readonly<Record<MailLanguage, OfferMailTexts>> = {
  en: {
    subject: (organization) => `Your credential from ${organization}`,
    greeting: (firstName) => `Hello ${firstName},`,
    offer: (organization) => `${organization} offers you a credential to act on its behalf.`,
    openLink: 'Open this link on the phone or computer that has your wallet:',
    scanCode: 'Scan this QR code with your wallet:',
    orScan: 'Or scan the QR code in this email with your wallet.',
    or: 'Or',
    openOffer: 'open the offer',
    onDevice: 'on the device that has your wallet.',
    lifetime: (duration) => `The offer is valid for ${duration} and can be used once.`,
    unexpected:
      'If you did not expect this email, you can ignore it. Nothing happens without your wallet.',
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
    offer: (organization) => `${organization} le ofrece una credencial para actuar en su nombre.`,
    openLink: 'Abra este enlace en el teléfono o el ordenador donde tiene su cartera digital:',
    scanCode: 'Escanee este código QR con su cartera digital:',
    orScan: 'O escanee el código QR de este correo con su cartera digital.',
    or: 'O',
    openOffer: 'abra la oferta',
    onDevice: 'en el dispositivo donde tiene su cartera digital.',
    lifetime: (duration) => `La oferta es válida durante ${duration} y solo se puede usar una vez.`,
    unexpected:
      'Si no esperaba este correo, puede ignorarlo. Sin su cartera digital no ocurre nada.',
    imageDescription: 'Código QR de la oferta de credencial',
    units: [
      ['día', 'días'],
      ['hora', 'horas'],
      ['minuto', 'minutos'],
      ['segundo', 'segundos'],
    ],
  },
}

export interface OfferMailData {
  readonly language: MailLanguage
  readonly organization: string
  readonly firstName: string
  /** The offer's link. */
  readonly link: string
  /** Seconds. */
  readonly lifetimeSeconds: number
  /** Content-ID of the inline QR image. */
  readonly qrContentId: string
}

export interface OfferMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * Creates the email with an employee's offer, as text and as HTML with the QR code inline. Names
 * come from requests and third-party tokens and must not break out of their sentence.
 */
export function createOfferMail(data: OfferMailData): OfferMail {
  const { language, link, lifetimeSeconds, qrContentId } = data
  const organization = inOneLine(data.organization)
  const firstName = inOneLine(data.firstName)
  const texts = offerMailTexts[language]
  const lifetime = texts.lifetime(describeDuration(lifetimeSeconds, texts))
  const subject = texts.subject(organization)
  const text = `${texts.greeting(firstName)}

${texts.offer(organization)}
${texts.openLink}

${link}

${texts.orScan} ${lifetime}

${texts.unexpected}
`
  const markup = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; color: #1a1a1a">
<p>${texts.greeting(firstName)}</p>
<p>${texts.offer(organization)} ${texts.scanCode}</p>
<p><img src="cid:${qrContentId}" alt="${texts.imageDescription}" width="300" height="300" style="max-width: 100%; height: auto"></p>
<p>${texts.or} <a href="${link}">${texts.openOffer}</a> ${texts.onDevice} ${lifetime}</p>
<p>${texts.unexpected}</p>
</body>
</html>`
  return { subject, text, html: markup.markup }
}

const longestName = 256

/**
 * Makes a name safe for a sentence: removes line breaks and control characters, which could add
 * lines, and invisible characters, which could reverse the text direction.
 */
function inOneLine(name: string): string {
  const visible = name.replace(/\p{Cf}/gu, '')
  return visible
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longestName)
    .toWellFormed()
}

const unitLengths = [86_400, 3600, 60, 1]

function describeDuration(seconds: number, { units }: OfferMailTexts): string {
  const index = unitLengths.findIndex((length) => seconds % length === 0)
  const count = seconds / (unitLengths[index] ?? 1)
  const [singular = '', plural = ''] = units[index] ?? []
  return `${count} ${count === 1 ? singular : plural}`
}
