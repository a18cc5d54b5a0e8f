import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W93',
  title: 'A query that accepts several types is answered with one of them',
  level: 'spec',
  expectation: 'accept',
  control: 'requests',
  rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
  description: 'meta.vct_values is a list of accepted types: one of them is enough.',
  sends:
    'A signed request at request_uri whose query accepts two types, of which the wallet holds one, and asks for two claims.',
  decides: 'The kit gets a presentation, and the wallet says that it gave it.',
  async run(context) {
    const { answer } = await takePresentation(context, {
      behaviour: {
        query: {
          meta: { vct_values: ['SomeOtherCredential', 'OrgPortalLearCredential'] },
          claims: [
            { path: ['$.vc.credentialSubject.mandate.power'] },
            { path: ['$.vc.credentialSubject.mandate.mandatee.employeeId'] },
          ],
        },
      },
    })
    return held('The wallet answered with the type that it holds.', {
      verdictSource: answer.source,
    })
  },
})
