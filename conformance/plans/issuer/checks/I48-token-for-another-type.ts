import { defineCheck } from '../../../kit/define-check.ts'
import { inconclusive } from '../../../kit/finding.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import { readOffer } from '../flow/read-offer.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I48',
  title: 'An access token brings no credential of another type than was offered',
  level: 'final',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/credential-offer-object.2'],
  clauses: ['OpenID4VCI 1.0, 6.1', 'OpenID4VCI 1.0, 8.3.1.1'],
  description: 'Whoever is offered something small would take what the issuer gives to others.',
  sends:
    'The credential request with the types of an entry of the metadata that the offer does not name.',
  decides:
    'The credential endpoint answers 4xx; for the offered types the request brings a credential.',
  async run(context) {
    const { resolved } = await readOffer(context)
    const { metadata, offer } = resolved
    if (metadata.credentialsSupported.every(({ id }) => offer.credentials.includes(id))) {
      return inconclusive(
        'The offer is about all that the issuer has: give it a second type that create-offer leaves out.',
      )
    }
    return expectDeviationsRefused(context, { 'credential-other-type': {} })
  },
})
