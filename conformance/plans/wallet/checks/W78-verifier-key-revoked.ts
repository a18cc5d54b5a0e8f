import { defineCheck } from '../../../kit/check.ts'
import { registerDefectiveIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W78',
  title: 'A request signed with a revoked key is not answered',
  level: 'practice',
  expectation: 'refuse',
  control: 'requests',
  description:
    "Whoever stole a verifier's key goes on asking with it; the DID registry says that it counts for nothing.",
  sends: 'A signed request at request_uri of a verifier whose key was revoked an hour ago.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const party = registerDefectiveIssuer(context.trust.world, 'key-revoked')
    return findRequestRefused(context, {
      behaviour: { party },
      why: "the verifier's key is revoked",
    })
  },
})
