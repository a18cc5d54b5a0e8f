import { defineCheck } from '../../../kit/check.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W69',
  title: 'While the DID registry is down no signed request is answered',
  level: 'practice',
  expectation: 'refuse',
  control: 'requests',
  description: 'Whoever can keep a wallet from the registry must not get by with that.',
  sends:
    'A signed request of a verifier that the wallet has not met, while the DID registry answers 500.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    await context.holdCredential()
    const party = registerIssuer(context.trust.world)
    context.trust.misbehave('did-registry', 'server-error')
    return findRequestRefused(context, {
      behaviour: { party },
      why: 'the DID registry gives no answer about the verifier',
    })
  },
})
