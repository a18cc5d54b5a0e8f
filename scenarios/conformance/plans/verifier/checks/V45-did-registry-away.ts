import type { Misbehaviour } from '../../../world/open-trust-world.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { presentOnce, supportRefusal, wronglyAccepted } from '../expect-verdict.ts'

const behaviours: Readonly<Record<Misbehaviour, string>> = {
  down: 'cuts the connection',
  'server-error': 'answers 500',
  'not-json': 'answers with a page',
  overloaded: 'answers 429',
  silent: 'does not answer',
}

export const check = defineVerifierCheck({
  id: 'V45',
  title: 'Nothing is accepted while the DID registry is away',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['docs/assumptions.md, A-29'],
  description:
    'Whoever keeps the DID registry from answering would keep revocations of keys away: what can not be looked up is not accepted.',
  sends:
    'Good presentations while the DID registry cuts connections, answers 500, with a page or 429, or does not answer at all.',
  decides:
    'None of them may be accepted, at once or later; that the session stays open is as good as a refusal.',
  async run(context) {
    const { trust } = context
    const told: string[] = []
    let verdictSource = ''
    for (const [behaviour, does] of Object.entries(behaviours)) {
      const what = `The DID registry ${does}.`
      trust.misbehave('did-registry', behaviour as Misbehaviour)
      const observation = await presentOnce(context, { what, issuer: registerIssuer(trust.world) })
      trust.misbehave('did-registry')
      if (observation.verdict === 'accepted') return wronglyAccepted(what, observation)
      told.push(`${what} Not accepted: ${observation.reason}`)
      verdictSource = observation.source
    }
    return supportRefusal(context, { reason: told.join(' '), verdictSource })
  },
})
