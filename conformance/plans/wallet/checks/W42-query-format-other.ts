import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W42',
  title: 'A query for another format is not answered',
  level: 'spec',
  expectation: 'refuse',
  control: 'requests',
  rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
  description: 'format is always jwt_vc_json: an answer in another one is none.',
  sends: 'A signed request at request_uri whose query asks for the format vc+sd-jwt.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: { query: { format: 'vc+sd-jwt' } },
      why: 'the query asks for the format vc+sd-jwt',
    }),
})
