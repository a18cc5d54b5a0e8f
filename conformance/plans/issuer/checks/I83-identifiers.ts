import { z } from 'zod'
import { requireJson } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { requirePortalAnswer } from '../flow/require-portal-answer.ts'
import { signIn } from '../flow/sign-in.ts'
import type { IssuerContext } from '../issuer-context.ts'

const zTypes = z.looseObject({ vc_types: z.array(z.string().min(1)) })

export const check = defineCheck<IssuerContext>({
  id: 'I83',
  title: 'The issuer tells which types a subject may be issued',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/credential-issuer.6'],
  description: 'A portal shows its people what they can ask for by this list.',
  sends: 'POST /issuance/identifiers with a subject_id.',
  decides: 'The answer is 200 with vc_types, an array of texts.',
  needs: ['portal'],
  async run(context) {
    const { portal, headers } = await signIn(context.portal())
    const answer = await portal.post('identifiers', { subject_id: 'anybody' }, headers)
    if (answer.status === 404) {
      return inconclusive('It knows no subject of that name, which the documents leave open.')
    }
    const json = requireJson(
      requirePortalAnswer(answer, 'The request for the types'),
      'The request for the types',
    )
    const result = zTypes.safeParse(json)
    const verdictSource = 'the answer of /issuance/identifiers'
    return result.success
      ? held(`It tells ${result.data.vc_types.join(', ')}.`, { verdictSource })
      : broken('vc_types is no array of texts.', { actual: json, verdictSource })
  },
})
