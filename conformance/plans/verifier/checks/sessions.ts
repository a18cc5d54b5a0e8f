import {
  broken,
  defineChecks,
  type FindingDetails,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import type { Observation } from '../../../targets/verdict-sources.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import type { OpenedRequest, VerifierContext } from '../context.ts'
import {
  findAcceptance,
  findNotAccepted,
  presentOnce,
  withDefects,
  withFaults,
} from '../presentation-checks.ts'
import { createUsualAccount } from '../usual-account.ts'

/** Sessions from PENDING to their verdict, and after it. */
export const checks = defineChecks<VerifierContext>({
  'V04-valid-presentation': {
    title: 'A valid presentation is accepted, even while other sessions are open',
    level: 'spec',
    expectation: 'accept',
    observes: true,
    rows: ['1.states-and-transitions.6', '1.what-the-service-does.3'],
    description:
      'The rejections of a verifier that rejects valid presentations prove nothing. People log in at the same time and again with the same credential, and each session has its own nonce and verdict.',
    sends:
      'A valid presentation to a single session. Then the kit starts two sessions and sends a valid presentation of the same credential to each, to the later one last.',
    decides: 'All must be accepted.',
    fix: 'The presentation follows every rule of the profile: look up the reason in your log. If only a later one is rejected, find the session by response_uri, compare nonce only with that session, and accept a credential in any number of sessions.',
    async run(context) {
      const { openRequest, present, observe, trust, now } = context
      const what = 'A valid presentation, while no other session is open.'
      const alone = await presentOnce(context, { what })
      const refusal = findNotAccepted(what, alone)
      // Without a verdict, and with a response, what is wrong is where the verdict is read.
      const isUnread = refusal?.kind !== 'broken' && !alone.isOutage && !alone.isUnanswered
      if (refusal && isUnread) return refusal
      if (refusal) return { ...refusal, reason: `${refusal.reason} ${lastLookup(trust)}` }
      const sessions = [await openRequest(), await openRequest()]
      const account = createUsualAccount()
      const credential = issueCredential(trust.world, { holderDid: account.did, now: now() })
      const presentation = { account, createCredential: () => credential }
      let verdictSource = ''
      for (const [index, opened] of sessions.entries()) {
        const observation = await observe(opened, await present(opened, presentation))
        const which = index === 0 ? 'the first of two sessions' : 'the second of two sessions'
        const finding = findNotAccepted(`A valid presentation to ${which}.`, observation)
        if (finding) return finding
        verdictSource = observation.source
      }
      return held('All presentations were accepted.', { verdictSource })
    },
  },
  'V50-pending-to-success': {
    title: 'A session is pending until a presentation is accepted, and accepted afterwards',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.states-and-transitions.6',
      '1.resources-and-their-fields/verification-session.1',
      '1.resources-and-their-fields/verification-session.2',
    ],
    needs: ['poll'],
    description:
      'The waiting browser follows the state. If the session is accepted too early, it lets the user in without a presentation. If the state is withdrawn, the user is locked out.',
    sends:
      'The kit requests the state before any presentation, after a valid one, and after an invalid one to the same session.',
    decides:
      'The state must be undecided first, and accepted after the valid presentation. A later change is a WARN: the profile does not say how long the state is shown.',
    fix: 'Keep the session undecided until a presentation passes every rule, then mark it as accepted. Do not let a later post change the verdict.',
    async run({ openRequest, present, observe, look }) {
      const opened = await openRequest()
      const before = await look(opened)
      if (before.verdict !== 'undecided') {
        return changed('Before any presentation.', before, { expected: 'undecided' })
      }
      const good = await observe(opened, await present(opened))
      const refusal = findNotAccepted('A valid presentation.', good)
      if (refusal) return inconclusive(`${refusal.reason} See V04.`, { verdictSource: good.source })
      const later = await look(opened)
      if (later.verdict !== 'accepted')
        return changed('The kit requested the state again.', later, { level: 'practice' })
      await present(opened, withFaults('presentation-bad-signature')[0])
      const last = await look(opened)
      if (last.verdict !== 'accepted') {
        const what = 'After an invalid presentation to the decided session.'
        return changed(what, last, { level: 'practice' })
      }
      return held(`First: ${before.reason} Then: ${last.reason}`, { verdictSource: last.source })
    },
  },
  'V137-sessions-at-once': {
    title: 'Presentations that arrive at the same time each get their own verdict',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.states-and-transitions.6', '1.states-and-transitions.7'],
    control: 'presentation',
    needs: ['poll'],
    description:
      'A verifier that keeps the presentation or its verdict in a variable of all sessions logs in an attacker at the same time as another holder.',
    sends:
      'Four presentations to four sessions at the same time: the first and the third are valid, the others have a wrong signature or an expired credential.',
    decides: 'The valid ones must be accepted, and the others must not.',
    fix: 'Keep everything about a presentation in the handling of its request, and write the verdict only to the session of its response_uri.',
    async run({ openRequest, present, observe }) {
      const invalid = [...withFaults('presentation-bad-signature'), ...withDefects('expired')]
      const cases = invalid.flatMap((each) => [{ what: 'A valid presentation.' }, each])
      const opened: OpenedRequest[] = []
      for (const _ of cases) opened.push(await openRequest())
      const posted = await Promise.all(
        opened.map(async (session, index) => ({
          session,
          answer: await present(session, cases[index]),
        })),
      )
      let verdictSource = ''
      for (const [index, { session, answer }] of posted.entries()) {
        const observation = await observe(session, answer)
        const what = `At the same time as others: ${cases[index]?.what}`
        const isValid = index % 2 === 0
        if (!isValid && observation.verdict === 'accepted') return findAcceptance(what, observation)
        const finding = isValid ? findNotAccepted(what, observation) : undefined
        if (finding) return finding
        verdictSource = observation.source
      }
      return held('Each got its own verdict.', { verdictSource })
    },
  },
  'V51-failed-is-final': {
    title: 'A rejected session stays rejected',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-30'],
    description:
      'A session that allows several attempts can be attacked by guessing. The browser that received FAILED no longer waits.',
    sends: 'A presentation with a wrong signature, and then a valid one to the same session.',
    decides:
      'The second one must not be accepted, even if the state is still open after the first.',
    fix: 'End the session with its first rejected presentation, and do not accept another one for it.',
    async run(context) {
      const { openRequest, present, observe } = context
      const opened = await openRequest()
      const first = await present(opened, withFaults('presentation-bad-signature')[0])
      const refusal = await observe(opened, first)
      const open = `The invalid presentation was not rejected: ${refusal.reason}`
      if (refusal.verdict !== 'refused' && !refusal.isPending) return inconclusive(open)
      const second = await observe(opened, await present(opened))
      if (second.verdict === 'accepted') {
        return findAcceptance('A valid presentation after an invalid one, to its session.', second)
      }
      if (refusal.verdict !== 'refused') return inconclusive(open)
      return held(second.reason, { verdictSource: second.source })
    },
  },
})

/** The rule that a verifier rejects by is usually about what it has read last. */
function lastLookup({ received }: VerifierContext['trust']): string {
  const last = received.at(-1)
  return last === undefined
    ? 'It requested nothing from the registries: it rejected the presentation itself, or it is configured with other addresses.'
    : `Its last request to the registries was ${last.method} ${last.path}: the reason is in that response, or in a rule that it evaluates afterwards.`
}

function changed(
  what: string,
  { verdict, source, reason }: Observation,
  { expected = 'accepted', ...weight }: Pick<FindingDetails, 'expected' | 'level'>,
) {
  const details = { verdictSource: source, expected, actual: verdict, ...weight }
  // A poll without an answer shows no change; one with another state does.
  const isAnswer = source.includes(' = ')
  return isAnswer ? broken(`${what} ${reason}`, details) : inconclusive(`${what} ${reason}`)
}
