import { parseCredentialOfferUri } from '#core/oid4vci/credential-offer/parse-credential-offer-uri.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import type { IssuerContext } from '../issuer-context.ts'

const samples = 8

/** 128 bits need as many characters of base64url. */
const shortest = 22

export const check = defineCheck<IssuerContext>({
  id: 'I92',
  title: 'Codes can not be guessed',
  level: 'practice',
  expectation: 'advice',
  clauses: ['RFC 6749, 10.10'],
  description: 'A code is all that is needed for the credential of somebody else.',
  sends: `Has ${samples} offers made.`,
  decides: `The codes differ, and each has ${shortest} characters or more, which 128 bits need.`,
  async run(context) {
    const codes: string[] = []
    for (let sample = 0; sample < samples; sample++) {
      const parsed = parseCredentialOfferUri((await context.createOffer()).link)
      const code = parsed.ok && parsed.delivery === 'value' && parsed.offer.preAuthorizedCode
      if (!code) return inconclusive('The link holds no code: see I05.')
      codes.push(code)
    }
    const lengths = codes.map(({ length }) => length)
    const verdictSource = "the codes in the offers' links"
    if (new Set(codes).size < samples) {
      return broken('Two offers have one code.', { verdictSource })
    }
    return lengths.some((length) => length < shortest)
      ? broken('A code is too short.', { expected: shortest, actual: lengths, verdictSource })
      : held(`They differ, and have ${Math.min(...lengths)} characters.`, { verdictSource })
  },
})
