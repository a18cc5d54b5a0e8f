import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I90',
  title: 'The PIN is not in the offer',
  level: 'practice',
  expectation: 'accept',
  clauses: ['OpenID4VCI 1.0, 4.1.1'],
  description: 'It goes another way, or whoever photographs the QR code has it too.',
  sends: 'Has an offer made that asks for a PIN.',
  decides: "The PIN does not stand anywhere in the link's offer but, by chance, within the code.",
  needs: ['pin'],
  async run(context) {
    const { link, pin = '' } = await context.createOffer('pin')
    const text = decodeURIComponent(link).replace(/"pre-authorized_code":\s*"[^"]*"/, '')
    const isShown = text.split(/[^A-Za-z0-9]+/).includes(pin)
    const verdictSource = "the offer's link"
    return isShown
      ? broken('The PIN stands in the offer.', { verdictSource })
      : held('The link does not tell it.', { verdictSource })
  },
})
