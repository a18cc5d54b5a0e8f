import { parseCredentialOfferUri } from '#core/oid4vci/credential-offer/parse-credential-offer-uri.ts'
import { parseIssuerMetadata } from '#core/oid4vci/issuer-metadata/parse-issuer-metadata.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { readMetadata } from '../flow/read-metadata.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I07',
  title: 'What is offered is in the metadata',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/credential-offer-object.2'],
  clauses: ['OpenID4VCI 1.0, 4.1.1'],
  description: 'An id that the metadata does not know leaves a wallet with nothing to ask for.',
  sends: 'Has an offer made, reads its link and the metadata.',
  decides: 'Each element of credentials is the id of an entry of credentials_supported.',
  async run(context) {
    const metadata = parseIssuerMetadata(await readMetadata(context), context.credentialIssuer)
    if (!metadata.ok) return inconclusive('The metadata can not be read: see I01 to I04.')
    const { link } = await context.createOffer()
    const parsed = parseCredentialOfferUri(link)
    if (!parsed.ok || parsed.delivery === 'reference') {
      return inconclusive('The link holds no offer by value: see I05.')
    }
    const { credentials } = parsed.offer
    const known = metadata.metadata.credentialsSupported.map(({ id }) => id)
    const unknown = credentials.filter((id) => !known.includes(id))
    const verdictSource = 'credentials in the offer'
    return unknown.length === 0
      ? held(`Known: ${credentials.join(', ')}.`, { verdictSource })
      : broken(`The metadata does not know the offered ${unknown.join(', ')}.`, {
          expected: known,
          actual: credentials,
          verdictSource,
        })
  },
})
