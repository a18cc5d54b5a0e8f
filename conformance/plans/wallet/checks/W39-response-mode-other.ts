import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W39',
  title: 'A request for another response_mode is not answered',
  level: 'spec',
  expectation: 'refuse',
  control: 'requests',
  rows: ['1.resources-and-their-fields/presentation-authorization-request.2'],
  description: 'In other modes the presentation travels through the browser, where it can be read.',
  sends: 'A signed request at request_uri with response_mode fragment.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: { parameters: { response_mode: 'fragment' } },
      why: 'response_mode is not direct_post',
    }),
})
