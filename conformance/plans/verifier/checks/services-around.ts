import { createStatusEntry } from '#core/status-list/status-list-credential.ts'
import { defineChecks, type Finding, held, wronglyAccepted } from '../../../kit/check.ts'
import type { CredentialChange } from '../../../world/defects/defect.ts'
import type {
  Misbehaviour,
  TrustPart,
  TrustWorldAddresses,
} from '../../../world/open-trust-world.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { Trap, VerifierContext } from '../context.ts'
import { findAcceptance, findEachRefused, presentOnce, withDefect } from '../presentation-checks.ts'

const behaviours: Readonly<Record<Misbehaviour, string>> = {
  down: 'cuts connections',
  'server-error': 'answers 500',
  'not-json': 'answers with a page',
  overloaded: 'answers 429',
  silent: 'does not answer',
}

/** What registries do that are away, for the text of a check. */
const awayBehaviours = Object.values(behaviours).join(', ')

/** Registries that are away, and addresses that a verifier has no reason to visit. */
export const checks = defineChecks<VerifierContext>({
  'V44-tir-away': {
    title: 'Nothing is accepted while the TIR is away',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'Whoever keeps the TIR from answering would keep revocations of accreditations away: what can not be looked up is not accepted.',
    sends: `Good presentations while the TIR is away, each in another way: it ${awayBehaviours}.`,
    decides: 'None of them may be accepted; that the session stays open is as good as a refusal.',
    run: (context) => findClosed(context, 'tir'),
  },
  'V45-did-registry-away': {
    title: 'Nothing is accepted while the DID registry is away',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'Whoever keeps the DID registry from answering would keep revocations of keys away: what can not be looked up is not accepted.',
    sends: `Good presentations while the DID registry is away, each in another way: it ${awayBehaviours}.`,
    decides: 'None of them may be accepted; that the session stays open is as good as a refusal.',
    run: (context) => findClosed(context, 'did-registry'),
  },
  'V46-foreign-terms-of-use': {
    title: 'A credential does not send the verifier to an address of its own choice',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-29', 'CWE-918, Server-Side Request Forgery'],
    description:
      'termsOfUse.id is an address that whoever made the credential wrote: a verifier that fetches it reaches inner services for a stranger.',
    sends:
      'Credentials whose termsOfUse.id is on another port of this machine, plainly and with the TIR as a user name before it.',
    decides: 'None may be accepted, and nothing may be asked for at that address.',
    run: (context) =>
      findTrapUnvisited(context, ({ origin }, { tirBaseUrl }) => {
        const { host } = new URL(origin)
        return [
          ['termsOfUse.id is another address.', termsOfUse(`${origin}/latest/meta-data`)],
          [
            'termsOfUse.id is another address, with the TIR as its user name.',
            termsOfUse(`http://${new URL(tirBaseUrl).hostname}@${host}/latest/meta-data`),
          ],
        ]
      }),
  },
  'V82-foreign-addresses': {
    title: 'Neither status list nor kid send the verifier to a foreign address',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-29', 'CWE-918, Server-Side Request Forgery'],
    description:
      'Every address in a credential is the choice of who made it, and did:web makes an address of a kid.',
    sends:
      'Credentials whose status list, and whose kid by did:web, are on another port of this machine.',
    decides: 'None may be accepted, and nothing may be asked for at that address.',
    run: (context) =>
      findTrapUnvisited(context, ({ origin }) => {
        const did = `did:web:${encodeURIComponent(new URL(origin).host)}`
        const credentialStatus = createStatusEntry({ statusListUrl: `${origin}/list`, index: 7 })
        return [
          ['The status list is at another address.', { vc: { credentialStatus } }],
          ['kid is a did:web of another address.', { header: { kid: `${did}#key-1` } }],
        ]
      }),
  },
})

/** No good presentation may be accepted while a registry is away, in whatever way it is. */
async function findClosed(context: VerifierContext, part: TrustPart): Promise<Finding> {
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

const termsOfUse = (id: string) => ({
  vc: { termsOfUse: { id, type: 'TrustedIssuersRegistryEntry' } },
})

/**
 * Presents credentials that name an address where nobody has a reason to go: none may be accepted,
 * and nobody may come there.
 */
async function findTrapUnvisited(
  context: VerifierContext,
  changesFor: (
    trap: Trap,
    addresses: TrustWorldAddresses,
  ) => readonly (readonly [what: string, change: CredentialChange])[],
): Promise<Finding> {
  const trap = await context.startTrap()
  const cases = changesFor(trap, context.trust.addresses).map(([what, change]) =>
    withDefect(what, { change: () => change }),
  )
  const finding = await findEachRefused(context, cases)
  if (trap.visits.length === 0) return finding
  return wronglyAccepted(
    `The verifier went to the address of the credential: ${trap.visits.join(', ')}.`,
    {
      verdictSource: 'a server that nobody has a reason to visit',
      expected: 'no request',
      actual: trap.visits,
    },
  )
}
