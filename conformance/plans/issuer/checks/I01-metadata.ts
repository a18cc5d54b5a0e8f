import { requireAnswer } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { fetchMetadata } from '../flow/fetch-metadata.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I01',
  title: 'The issuer metadata is JSON that anybody can read',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.1', '1.endpoints.1'],
  clauses: ['OpenID4VCI 1.0, 12.2.2'],
  description: 'A wallet knows nothing but the address in an offer: without metadata it stops.',
  sends: 'GET /.well-known/openid-credential-issuer, without any authentication.',
  decides: 'The answer is 200, its content type is JSON, and it holds a JSON object.',
  async run(context) {
    const what = 'The request for the metadata'
    const { json, contentType, text } = requireAnswer(await fetchMetadata(context), what)
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      return broken('The metadata is no JSON object.', { actual: text.slice(0, 300) })
    }
    if (!/^application\/([\w.+-]+\+)?json\b/i.test(contentType)) {
      const actual = contentType
      return broken('The metadata does not come as JSON.', { expected: 'application/json', actual })
    }
    return held(`It came as ${contentType}.`, { verdictSource: 'the metadata' })
  },
})
