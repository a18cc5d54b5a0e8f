import { defineCheck } from '../../../kit/check.ts'
import { signWithPublicKeyAsSecret } from '../../../world/defects/defect.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import { signAnew } from '../counterparts/sign-anew.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W77',
  title: 'A request signed with the public key as a secret is not answered',
  level: 'final',
  expectation: 'refuse',
  control: 'requests',
  clauses: ['RFC 8725, 3.1'],
  description:
    'A wallet that takes alg from the header verifies an HMAC with what everybody can read in the DID document.',
  sends: "A signed request at request_uri with alg HS256, by HMAC with the verifier's public key.",
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const party = registerIssuer(context.trust.world)
    return findRequestRefused(context, {
      behaviour: {
        party,
        afterwards: (jwt) => signAnew(jwt, signWithPublicKeyAsSecret, party.privateKey),
      },
      why: "it carries an HMAC with the verifier's public key",
    })
  },
})
