import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W44',
  title: 'A query for a claim that no credential contains is not answered',
  level: 'spec',
  expectation: 'refuse',
  control: 'requests',
  rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
  description: 'The wallet checks that the credential contains the claims that are asked for.',
  sends: 'A signed request at request_uri with a path that no credential has.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: { query: { claims: [{ path: ['$.vc.credentialSubject.mandate.shoeSize'] }] } },
      why: 'no credential contains the claim',
    }),
})
