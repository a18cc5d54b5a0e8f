import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W75',
  title: 'Members of a request that are not known are passed over',
  level: 'final',
  expectation: 'accept',
  control: 'requests',
  clauses: ['OpenID4VP 1.0, 5', 'RFC 6749, 3.1'],
  description:
    'Verifiers say more than the documents know; a wallet that refuses it answers nobody tomorrow.',
  sends:
    'A signed request at request_uri with unknown claims, and unknown members in its query and its client_metadata.',
  decides: 'The kit gets a presentation, and the wallet says that it gave it.',
  async run(context) {
    const unknown = { x_number: 7, x_list: [1, { deep: true }], x_object: { a: null } }
    const { answer } = await takePresentation(context, {
      behaviour: {
        claims: { ...unknown, client_metadata: { client_name: 'The kit', ...unknown } },
        query: unknown,
      },
    })
    return held('The wallet passed over what it does not know.', { verdictSource: answer.source })
  },
})
