import { html } from '#core/html/html.ts'
import { type MailLanguage, type OfferMailTexts, offerMailTexts } from './offer-mail-texts.ts'

export interface OfferMailData {
  readonly language: MailLanguage
  readonly organization: string
  readonly firstName: string
  /** The offer's link. */
  readonly link: string
  /** Seconds. */
  readonly lifetimeSeconds: number
  /** Content-ID of the QR image that goes with the mail. */
  readonly qrContentId: string
}

export interface OfferMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * The mail that brings an employee the offer, as text and as HTML with the QR code inline. Names
 * come from requests and foreign tokens: they stay within their sentence.
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
 * A name as it may stand in a sentence: no line breaks or control characters, which would write
 * lines of their own, and no invisible ones, which turn the direction of what follows.
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
