import { html } from '#core/html/html.ts'

export interface OfferMailData {
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

/** The mail that brings an employee the offer, as text and as HTML with the QR code inline. */
export function createOfferMail(data: OfferMailData): OfferMail {
  const { organization, firstName, link, lifetimeSeconds, qrContentId } = data
  const lifetime = describeLifetime(lifetimeSeconds)
  const subject = `Your credential from ${organization.replace(/\s+/g, ' ')}`
  const text = `Hello ${firstName},

${organization} offers you a credential that lets you act on its behalf.
Open this link on the phone or computer that holds your wallet:

${link}

Or scan the QR code of this mail with your wallet. Both are valid for ${lifetime} and work once.

If you did not expect this mail, ignore it: nothing happens without your wallet.
`
  const markup = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; color: #1a1a1a">
<p>Hello ${firstName},</p>
<p>${organization} offers you a credential that lets you act on its behalf. Scan this QR code with your wallet:</p>
<p><img src="cid:${qrContentId}" alt="QR code of the credential offer" width="300" height="300"></p>
<p>Or <a href="${link}">open the offer</a> on the device that holds your wallet. Both are valid for ${lifetime} and work once.</p>
<p>If you did not expect this mail, ignore it: nothing happens without your wallet.</p>
</body>
</html>`
  return { subject, text, html: markup.markup }
}

function describeLifetime(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const
  const [size, name] = units.find(([length]) => seconds % length === 0) ?? [1, 'second']
  const count = seconds / size
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
