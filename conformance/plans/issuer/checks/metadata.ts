import { broken, defineChecks, held } from '../../../kit/check.ts'
import { classifyStatus, requireAnswer, requireJson } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { fetchMetadata, readMetadata } from '../metadata.ts'

const acceptHeaders = ['*/*', 'text/html', 'application/xml', 'nonsense']

export const checks = defineChecks<IssuerContext>({
  'I01-metadata': {
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
        return broken('The metadata does not come as JSON.', {
          expected: 'application/json',
          actual,
        })
      }
      return held(`It came as ${contentType}.`, { verdictSource: 'the metadata' })
    },
  },
  'I02-credential-issuer': {
    title: 'The metadata names the issuer by the address that it was fetched for',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/issuer-metadata.1'],
    clauses: ['OpenID4VCI 1.0, 12.2.4'],
    description:
      'Wallets refuse metadata of another issuer, so that nobody can pass off theirs; a slash too many is another issuer.',
    sends: 'GET of the metadata of the credential_issuer in the target.',
    decides:
      'credential_issuer is that address, character by character. A slash more or less at its end is a WARN: OpenID4VCI counts it, the profile does not say.',
    async run(context) {
      const { credentialIssuer: expected } = context
      const { credential_issuer: actual } = await readMetadata(context)
      const details = { expected, actual, verdictSource: 'credential_issuer in the metadata' }
      if (actual === expected) return held(`It names ${expected}.`, details)
      const isSlash = [`${actual}/`, actual].some(
        (each) => each === expected || each === `${expected}/`,
      )
      return broken('credential_issuer is not the address that the metadata was fetched for.', {
        ...details,
        ...(isSlash && { level: 'final' }),
      })
    },
  },
  'I03-credential-endpoint': {
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
      'credential_endpoint is an absolute http(s) address. Another origin than that of credential_issuer is a WARN: the profile does not rule it out.',
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
  },
  'I82-health': {
    title: 'The issuer says that it is well',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.1', '1.what-the-service-does.5'],
    description: 'Whoever watches over it, a load balancer or a person, asks nothing else.',
    sends: 'GET /health, without any authentication.',
    decides: 'The answer is 200 with status ok.',
    needs: ['portal'],
    async run(context) {
      const { status } = requireJson(await context.portal().get('/health'), 'GET /health')
      const verdictSource = 'status in the answer of /health'
      return status === 'ok'
        ? held('It is ok.', { verdictSource })
        : broken('The status is another text.', { expected: 'ok', actual: status, verdictSource })
    },
  },
  'I88-metadata-for-any-accept': {
    title: 'The metadata comes whatever Accept says',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.1'],
    description: 'Real issuers were found to answer 406 or 500 to what wallets in the field send.',
    sends: `GET of the metadata with Accept ${acceptHeaders.join(', ')}.`,
    decides: 'Each is answered 200, as is a request for JSON.',
    async run(context) {
      await readMetadata(context)
      const verdictSource = 'HTTP status of the metadata'
      for (const accept of acceptHeaders) {
        const { status } = await fetchMetadata(context, { accept })
        if (status === 200) continue
        if (classifyStatus(status) === 'overloaded') continue
        const details = { expected: 200, actual: status, verdictSource }
        return broken(`For Accept: ${accept} it was answered ${status}.`, details)
      }
      return held('It came for all of them.', { verdictSource })
    },
  },
})
