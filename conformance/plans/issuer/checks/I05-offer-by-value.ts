import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { offerInLink } from '../flow/offer-in-link.ts'
import type { IssuerContext } from '../issuer-context.ts'

const withoutSlash = (url: string) => url.replace(/\/$/, '')

export const check = defineCheck<IssuerContext>({
  id: 'I05',
  title: 'A link by value carries an offer of the pre-authorized code flow',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/credential-offer-object.1',
    '1.resources-and-their-fields/credential-offer-object.3',
    '1.resources-and-their-fields/credential-offer-object.5',
  ],
  clauses: ['OpenID4VCI 1.0, 4.1.2'],
  description: 'The link is all that a holder scans: what is wrong in it, no wallet can mend.',
  sends: 'Has an offer made (create-offer) and reads its link.',
  decides:
    'credential_offer holds URL-encoded JSON with credentials, the code in its grant, and the credential_issuer of the target; of a slash at its end I02 speaks.',
  async run(context) {
    const { link } = await context.createOffer()
    const { credentialIssuer, preAuthorizedCode } = offerInLink(link)
    const verdictSource = "the offer's link"
    if (preAuthorizedCode === undefined) {
      return broken('The offer has no grant with a pre-authorized code.', { verdictSource })
    }
    if (withoutSlash(credentialIssuer) !== withoutSlash(context.credentialIssuer)) {
      return broken('The offer is of another issuer than the target.', {
        expected: context.credentialIssuer,
        actual: credentialIssuer,
        verdictSource,
      })
    }
    return held('The link holds a whole offer.', { verdictSource })
  },
})
