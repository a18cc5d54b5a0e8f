import { findRefusal } from '../../../classify-answer.ts'
import { inconclusive } from '../../../finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'

export const check = defineVerifierCheck({
  id: 'V88',
  title: 'A post to a session that does not exist is refused',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['docs/assumptions.md, A-30'],
  description:
    'A wallet that is told 200 by a session that nobody waits for tells its holder that all is well.',
  sends: 'A form to the response_uri of a session, with another character at its end.',
  decides: 'It has to be answered with a 4xx.',
  async run({ openRequest, httpAs }) {
    const { response_uri: responseUri } = (await openRequest()).parameters
    if (typeof responseUri !== 'string') return inconclusive('There is no response_uri; see V01.')
    const form = { vp_token: 'e30.e30.AA', presentation_submission: '{}' }
    const answer = await httpAs('wallet').request(`${responseUri}x`, { form })
    return findRefusal(answer, { what: 'A post to a session that does not exist' })
  },
})
