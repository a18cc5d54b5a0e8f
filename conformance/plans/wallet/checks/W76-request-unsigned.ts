import { defineCheck } from '../../../kit/check.ts'
import { leaveUnsigned } from '../../../world/defects/defect.ts'
import type { WalletContext } from '../context.ts'
import { signAnew } from '../counterparts/sign-anew.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W76',
  title: 'A request with alg none is not answered as a signed one',
  level: 'final',
  expectation: 'refuse',
  control: 'requests',
  clauses: ['RFC 9101, 6.2', 'RFC 8725, 3.2'],
  description: 'Anybody could ask in the name of a DID whose key nobody needs then.',
  sends: 'A signed request at request_uri with alg none and no signature.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: {
        afterwards: (jwt) => signAnew(jwt, leaveUnsigned, context.trust.world.issuer.privateKey),
      },
      why: 'the request is not signed (alg none)',
    }),
})
