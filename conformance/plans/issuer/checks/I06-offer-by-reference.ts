import { isDeepStrictEqual } from 'node:util'
import { parseCredentialOffer } from '#core/oid4vci/credential-offer/parse-credential-offer.ts'
import { classifyStatus, requireJson } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { addressInLink } from '../flow/address-in-link.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I06',
  title: 'The offer behind a link by reference can be read as often as wanted',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/credential-offer-object.6', '1.endpoints.1'],
  clauses: ['OpenID4VCI 1.0, 4.1.3'],
  description:
    'Wallets read an offer again when their holder comes back to it, and previews of links read it before them.',
  sends: 'Has an offer made by reference, and twice GET of the address in its link.',
  decides:
    '200 with content type JSON and an offer as documented. That it is not there a second time, or is another one then, is a WARN: no sentence demands it.',
  needs: ['reference'],
  async run(context) {
    const { link } = await context.createOffer('reference')
    const address = addressInLink(link)
    const read = () => context.http.request(address, { headers: { accept: 'application/json' } })
    const answer = await read()
    const first = requireJson(answer, 'Reading the offer')
    const verdictSource = 'the answer at credential_offer_uri'
    if (!/^application\/json\b/i.test(answer.contentType)) {
      return broken('The offer does not come as JSON.', {
        expected: 'application/json',
        actual: answer.contentType,
        verdictSource,
      })
    }
    const parsed = parseCredentialOffer(first)
    if (!parsed.ok) {
      const { failures } = parsed
      return broken('What is there is no offer as documented.', { failures, verdictSource })
    }
    const again = await read()
    const kind = classifyStatus(again.status)
    if (kind !== 'accepted' && kind !== 'refused') {
      return inconclusive(`The second time it was answered HTTP ${again.status}.`, {
        verdictSource,
      })
    }
    return again.status === 200 && isDeepStrictEqual(first, again.json)
      ? held('It is there twice, and the same.', { verdictSource })
      : broken('The second time it is not there, or is another offer.', {
          expected: first,
          actual: again.json ?? again.status,
          verdictSource,
          level: 'practice',
        })
  },
})
