import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W43',
  title: 'A query for a type that the wallet does not hold is not answered',
  level: 'spec',
  expectation: 'refuse',
  control: 'requests',
  rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
  description: 'Nothing that was not asked for may leave the wallet.',
  sends: 'A signed request at request_uri whose meta.vct_values is a type that nobody issues.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: { query: { meta: { vct_values: ['NoSuchCredential'] } } },
      why: 'the wallet holds no credential of that type',
    }),
})
