import {
  broken,
  defineChecks,
  type FindingDetails,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import type { Observation } from '../../../targets/verdict-sources.ts'
import type { VerifierContext } from '../context.ts'
import { findAcceptance, findNotAccepted, withFaults } from '../presentation-checks.ts'

/** Sessions from PENDING to their verdict, and what comes after it. */
export const checks = defineChecks<VerifierContext>({
  'V04-valid-presentation': {
    title: 'A good presentation is accepted, also where other sessions are open',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.states-and-transitions.6', '1.what-the-service-does.3'],
    description:
      'Whoever refuses good presentations is no verifier, and its refusals say nothing. People log in at the same time: each session has its own nonce and its own verdict.',
    sends:
      'Two sessions are begun, one after the other; then a good presentation goes to each, to the later one last.',
    decides: 'Both have to be accepted.',
    async run({ openRequest, present, observe }) {
      const sessions = [await openRequest(), await openRequest()]
      let verdictSource = ''
      for (const [index, opened] of sessions.entries()) {
        const observation = await observe(opened, await present(opened))
        const which = index === 0 ? 'the session that was begun first' : 'the other session'
        const finding = findNotAccepted(`A good presentation to ${which}.`, observation)
        if (finding) return finding
        verdictSource = observation.source
      }
      return held('Both presentations were accepted.', { verdictSource })
    },
  },
  'V50-pending-to-success': {
    title: 'A session is pending until a presentation is accepted, and accepted from then on',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.states-and-transitions.6',
      '1.resources-and-their-fields/verification-session.1',
      '1.resources-and-their-fields/verification-session.2',
    ],
    needs: ['poll'],
    description:
      'The browser that waits goes by the state: one that is there too early lets it in without a presentation, one that goes away again leaves it outside.',
    sends:
      'The state is asked for before anything is presented, after a good presentation, and after a bad one to the same session.',
    decides:
      'It has to be undecided first, and accepted once the presentation was. That it is another one later is a WARN: the profile does not say for how long it is shown.',
    async run({ openRequest, present, observe, look }) {
      const opened = await openRequest()
      const before = await look(opened)
      if (before.verdict !== 'undecided') {
        return changed('Nothing was presented yet.', before, { expected: 'undecided' })
      }
      const good = await observe(opened, await present(opened))
      const refusal = findNotAccepted('A good presentation.', good)
      if (refusal) return inconclusive(`${refusal.reason} See V04.`, { verdictSource: good.source })
      const later = await look(opened)
      if (later.verdict !== 'accepted')
        return changed('The state was asked for again.', later, { level: 'practice' })
      await present(opened, withFaults('presentation-bad-signature')[0])
      const last = await look(opened)
      if (last.verdict !== 'accepted') {
        const what = 'A bad presentation went to the session that was decided.'
        return changed(what, last, { level: 'practice' })
      }
      return held(`First: ${before.reason} Then: ${last.reason}`, { verdictSource: last.source })
    },
  },
  'V51-failed-is-final': {
    title: 'A session that was refused stays refused',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-30'],
    description:
      'A session that may be tried again and again is one to guess at; and the browser that was told FAILED is gone.',
    sends: 'A presentation with a wrong signature, and then a good one to the same session.',
    decides: 'The second one may not be accepted.',
    async run(context) {
      const { openRequest, present, observe } = context
      const opened = await openRequest()
      const first = await present(opened, withFaults('presentation-bad-signature')[0])
      const refusal = await observe(opened, first)
      if (refusal.verdict !== 'refused') {
        return inconclusive(`The bad presentation was not refused: ${refusal.reason}`)
      }
      const second = await observe(opened, await present(opened))
      if (second.verdict === 'accepted') {
        return findAcceptance('A good presentation to a session that was refused.', second)
      }
      return held(second.reason, { verdictSource: second.source })
    },
  },
})

function changed(
  what: string,
  { verdict, source, reason }: Observation,
  { expected = 'accepted', ...weight }: Pick<FindingDetails, 'expected' | 'level'>,
) {
  const details = { verdictSource: source, expected, actual: verdict, ...weight }
  // A poll without an answer has not changed; one with another state has.
  const isAnswer = source.includes(' = ')
  return isAnswer ? broken(`${what} ${reason}`, details) : inconclusive(`${what} ${reason}`)
}
