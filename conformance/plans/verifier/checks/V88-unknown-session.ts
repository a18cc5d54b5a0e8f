import { findRefusal } from '../../../kit/classify-answer.ts'
import { inconclusive } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'

export const check = defineVerifierCheck({
  id: 'V88',
  title: 'A post to a session that does not exist is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-30'],
  description:
    'A wallet that is told 200 by a session that nobody waits for tells its holder that all is well.',
  sends:
    'A good presentation to the response_uri of a session, with one more character at its end.',
  decides: 'It has to be answered with a 4xx, while the session itself takes a good presentation.',
  async run({ openRequest, present }) {
    const opened = await openRequest()
    const { response_uri: responseUri } = opened.parameters
    if (typeof responseUri !== 'string') return inconclusive('There is no response_uri; see V01.')
    const url = `${responseUri}x`
    const parameters = { ...opened.parameters, response_uri: url }
    const { status, reason } = await present({ ...opened, parameters })
    if (status === 0) return inconclusive(reason)
    const what = 'A post to a session that does not exist'
    return findRefusal({ method: 'POST', url, status, json: undefined }, { what })
  },
})
