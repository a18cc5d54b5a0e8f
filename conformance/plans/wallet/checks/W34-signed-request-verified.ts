import { broken, defineCheck, held } from '../../../kit/check.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W34',
  title: 'The key of a signed request is looked up',
  level: 'final',
  expectation: 'accept',
  control: 'requests',
  clauses: ['RFC 9101, 6.2', 'OpenID4VP 1.0, 5.9.3'],
  description:
    "A signature that is not held against the verifier's DID document says nothing of who asks.",
  sends: 'A signed request of a verifier that was registered just before.',
  decides: "The wallet asks the DID registry for the verifier's document and posts a presentation.",
  async run(context) {
    await context.holdCredential()
    const { world } = context.trust
    const party = registerIssuer(world)
    await takePresentation(context, { behaviour: { party } })
    const verdictSource = 'requests to the DID registry'
    const isAsked = context.trust.asked.some((path) => decodeURIComponent(path).includes(party.did))
    return isAsked
      ? held("The wallet looked the verifier's key up.", { verdictSource })
      : broken("The wallet answered without having asked for the verifier's DID document.", {
          verdictSource,
        })
  },
})
