import type { Misbehaviour } from '../../../world/open-trust-world.ts'
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
  id: 'V44',
  title: 'Nothing is accepted while the TIR is away',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['docs/assumptions.md, A-29'],
  description:
    'Whoever keeps the TIR from answering would keep revocations of accreditations away: what can not be looked up is not accepted.',
  sends:
    'Good presentations while the TIR cuts connections, answers 500, with a page or 429, or does not answer at all.',
  decides:
    'None of them may be accepted, at once or later; that the session stays open is as good as a refusal.',
  async run(context) {
    const { trust } = context
    const told: string[] = []
    let verdictSource = ''
    for (const [behaviour, does] of Object.entries(behaviours)) {
      const what = `The TIR ${does}.`
      trust.misbehave('tir', behaviour as Misbehaviour)
      const observation = await presentOnce(context, { what })
      trust.misbehave('tir')
      if (observation.verdict === 'accepted') return wronglyAccepted(what, observation)
      told.push(`${what} Not accepted: ${observation.reason}`)
      verdictSource = observation.source
    }
    return supportRefusal(context, { reason: told.join(' '), verdictSource })
  },
})
