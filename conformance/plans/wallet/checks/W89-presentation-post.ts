import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { membersIn } from '../counterparts/members-in.ts'
import { findProblems } from '../findings/find-problems.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W89',
  title: 'The presentation is posted as documented',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1'],
  description: 'A form with two fields; verifiers read no JSON there.',
  sends: 'A signed request at request_uri of a verifier that is as good as can be.',
  decides:
    'A POST of application/x-www-form-urlencoded with vp_token and presentation_submission, a JSON object.',
  async run(context) {
    const { session, post } = await takePresentation(context)
    const [request] = session.requestsTo('response')
    const { form, contentType } = post
    return findProblems(
      'The post',
      [
        [request?.method === 'POST', 'it is no POST'],
        [/^application\/x-www-form-urlencoded\b/i.test(contentType), 'it is no form'],
        [form.getAll('vp_token').length === 1, 'vp_token is not there once'],
        [
          membersIn(form.get('presentation_submission') ?? '') !== undefined,
          'presentation_submission is no JSON object',
        ],
      ],
      'post to response_uri',
    )
  },
})
