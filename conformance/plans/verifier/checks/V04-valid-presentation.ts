import { held } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { findNotAccepted } from '../expect-verdict.ts'

export const check = defineVerifierCheck({
  id: 'V04',
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
})
