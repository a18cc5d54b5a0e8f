import { broken, defineCheck, held } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { WalletContext } from '../context.ts'
import { findSecretKeys } from '../findings/find-secret-keys.ts'
import { takeCredential } from '../findings/take-credential.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W52',
  title: 'No private key leaves the wallet',
  level: 'practice',
  expectation: 'refuse',
  description: 'A JWK with d in a header gives the holder away to everybody who sees the message.',
  sends: 'An offer and a request, both as good as can be.',
  decides: 'No JSON in what the wallet sent holds a JWK with d or k.',
  async run(context) {
    const { session: issuer } = await asPremise('taking a good offer', takeCredential(context))
    const { session: verifier } = await takePresentation(context)
    const bodies = [...issuer.requests, ...verifier.requests].map(({ body }) => body)
    const found = findSecretKeys(bodies)
    const verdictSource = 'all requests of the wallet'
    return found.length === 0
      ? held('Nothing that the wallet sent holds a private key.', { verdictSource })
      : broken(`The wallet sent a private key: ${found.join(', ')}.`, { verdictSource })
  },
})
