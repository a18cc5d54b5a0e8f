import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { readMetadata } from '../flow/read-metadata.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I03',
  title: 'credential_endpoint is a whole address, at the issuer itself',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/issuer-metadata.2',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.3',
  ],
  clauses: ['OpenID4VCI 1.0, 12.2.4'],
  description:
    'A relative address is none for wallets. One at another origin may be meant, and is what a forged one looks like.',
  sends: 'GET of the metadata.',
  decides:
    'credential_endpoint is an absolute http(s) address. Another origin than that of credential_issuer is a WARN: the documents do not rule it out.',
  async run(context) {
    const { credential_endpoint: actual } = await readMetadata(context)
    const verdictSource = 'credential_endpoint in the metadata'
    if (typeof actual !== 'string' || !/^https?:\/\//i.test(actual) || !URL.canParse(actual)) {
      const expected = 'an address with http:// or https://'
      return broken('credential_endpoint is no address.', { expected, actual, verdictSource })
    }
    const expected = new URL(context.credentialIssuer).origin
    if (new URL(actual).origin !== expected) {
      return broken('credential_endpoint is at another origin than the issuer.', {
        expected,
        actual,
        verdictSource,
        level: 'practice',
      })
    }
    return held(`It is ${actual}.`, { verdictSource })
  },
})
