import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V08',
  title: 'A presentation that is posted again leads nobody into the session',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['docs/assumptions.md, A-30', 'OpenID4VP 1.0, 13.3'],
  description:
    'Where the answer sends the holder on with a one-time code, whoever posts the same presentation again must not be given one too.',
  sends: 'A good presentation, and the very same form to the same session again.',
  decides:
    'The second post has to be refused with a 4xx, or its answer has no redirect_uri where the first one had it.',
  async run({ openRequest, present }) {
    const first = await present(await openRequest())
    if (first.status !== 200) {
      return inconclusive(`A good presentation was not taken either. ${first.reason}`)
    }
    const replay = await present(await openRequest(), withFaults('presentation-replayed')[0])
    const verdictSource = `answer of the response endpoint: HTTP ${replay.status}`
    const isRefusal = replay.status >= 400 && replay.status < 500 && replay.status !== 429
    if (isRefusal) return held(`The second post was refused. ${replay.reason}`, { verdictSource })
    if (replay.status !== 200) return inconclusive(replay.reason, { verdictSource })
    if (first.redirectUri === undefined) {
      const reason = 'Both are answered alike: nothing tells whether the second one counted.'
      return inconclusive(reason, { verdictSource })
    }
    return replay.redirectUri === undefined
      ? held('The answer to the second post leads nowhere.', { verdictSource })
      : broken('The second post is sent on as the first one was.', {
          verdictSource,
          expected: 'no redirect_uri',
          actual: replay.redirectUri,
        })
  },
})
