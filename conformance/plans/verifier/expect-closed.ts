import { type Finding, held } from '../../kit/finding.ts'
import type { TrustPart } from '../../world/answer-as-registries.ts'
import type { Misbehaviour } from '../../world/open-trust-world.ts'
import { registerIssuer } from '../../world/register-issuer.ts'
import type { VerifierContext } from './context.ts'
import { findAcceptance, presentOnce } from './expect-verdict.ts'

const behaviours: Readonly<Record<Misbehaviour, string>> = {
  down: 'cuts connections',
  'server-error': 'answers 500',
  'not-json': 'answers with a page',
  overloaded: 'answers 429',
  silent: 'does not answer',
}

/** What registries do that are away, for the text of a check. */
export const awayBehaviours = Object.values(behaviours).join(', ')

/** No good presentation may be accepted while a registry is away, in whatever way it is. */
export async function expectClosed(context: VerifierContext, part: TrustPart): Promise<Finding> {
  const told: string[] = []
  let verdictSource = ''
  for (const [behaviour, does] of Object.entries(behaviours)) {
    const what = `The ${part} ${does}.`
    // Whatever the verifier remembers, this issuer is new to it.
    const presentation = { what, issuer: registerIssuer(context.trust.world) }
    context.trust.misbehave(part, behaviour as Misbehaviour)
    const observation = await presentOnce(context, presentation)
    context.trust.misbehave(part)
    if (observation.verdict === 'accepted') return findAcceptance(what, observation)
    told.push(`${what} Not accepted: ${observation.reason}`)
    verdictSource = observation.source
  }
  return held(told.join(' '), { verdictSource })
}
