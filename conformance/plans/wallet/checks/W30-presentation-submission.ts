import { verifyPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findBrokenRules } from '../findings/find-broken-rules.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W30',
  title: 'presentation_submission maps the query to the credential',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/presentation-submission.1',
    '1.resources-and-their-fields/presentation-authorization-request.7',
  ],
  description:
    'By it the verifier finds the credential in the presentation. Its paths and formats are given word for word.',
  sends: 'A signed request at request_uri of a verifier that is as good as can be.',
  decides:
    'definition_id is dcql_query, and the one descriptor is {id: the query, jwt_vp, $, path_nested {id, jwt_vc, $.vp.verifiableCredential[0]}}.',
  async run(context) {
    const { session, post } = await takePresentation(context)
    const presentationSubmission = post.form.get('presentation_submission') ?? undefined
    const { queryId } = session
    const { failures } = verifyPresentationSubmission({ presentationSubmission, queryId })
    return findBrokenRules('presentation_submission', failures, 'post to response_uri')
  },
})
