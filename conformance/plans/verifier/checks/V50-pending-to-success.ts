import { broken, type FindingDetails, held, inconclusive } from '../../../kit/finding.ts'
import type { Observation } from '../../../targets/verdict-sources/verdict-source.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { findNotAccepted } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V50',
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
    'It has to be undecided first, and accepted once the presentation was. That it is another one later is a WARN: the documents do not say for how long it is shown.',
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
