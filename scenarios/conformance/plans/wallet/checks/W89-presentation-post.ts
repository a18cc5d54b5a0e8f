import { defineCheck } from '../../../define-check.ts'
import { broken, held } from '../../../finding.ts'
import type { WalletContext } from '../context.ts'
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
    const problems = [
      [request?.method === 'POST', 'it is no POST'],
      [/^application\/x-www-form-urlencoded\b/i.test(post.contentType), 'it is no form'],
      [post.form.getAll('vp_token').length === 1, 'vp_token is not there once'],
      [
        isJsonObject(post.form.get('presentation_submission')),
        'presentation_submission is no JSON object',
      ],
    ].flatMap(([holds, problem]) => (holds ? [] : [problem]))
    const verdictSource = 'post to response_uri'
    return problems.length === 0
      ? held('The presentation was posted as documented.', { verdictSource })
      : broken(`Of the post ${problems.join(', and ')}.`, { verdictSource })
  },
})

function isJsonObject(text: string | null): boolean {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
