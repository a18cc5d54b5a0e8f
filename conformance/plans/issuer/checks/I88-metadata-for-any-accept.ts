import { classifyStatus } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { fetchMetadata } from '../flow/fetch-metadata.ts'
import { readMetadata } from '../flow/read-metadata.ts'
import type { IssuerContext } from '../issuer-context.ts'

const acceptHeaders = ['*/*', 'text/html', 'application/xml', 'nonsense']

export const check = defineCheck<IssuerContext>({
  id: 'I88',
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
})
