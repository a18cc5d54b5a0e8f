import { defineCheck } from '../../../kit/check.ts'
import { flipBit } from '../../../world/defects/signature-defects.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W35',
  title: 'A request whose signature does not verify is not answered',
  level: 'final',
  expectation: 'refuse',
  control: 'requests',
  clauses: ['RFC 9101, 6.2'],
  description: 'Anybody could ask in the name of a verifier that the holder trusts.',
  sends: 'A signed request at request_uri with one bit of the signature turned.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: { afterwards: flipBit },
      why: 'the signature of the request does not verify',
    }),
})
