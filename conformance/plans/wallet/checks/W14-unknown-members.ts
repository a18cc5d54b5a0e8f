import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential, tellRequests } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W14',
  title: 'Members that are not known are passed over',
  level: 'final',
  expectation: 'accept',
  control: 'offers',
  clauses: ['OpenID4VCI 1.0, 4.1.1', 'OpenID4VCI 1.0, 12.2.4'],
  description:
    'Issuers say more than the documents know: display names, encryption, later revisions. A wallet that refuses them takes nothing tomorrow.',
  sends: 'An offer, a grant and metadata with members of several kinds that no document knows.',
  decides: 'The credential is handed out, and the wallet says that it has it.',
  async run(context) {
    const unknown = { x_number: 7, x_list: [1, { deep: true }], x_object: { a: null } }
    const { session, answer } = await takeCredential(context, {
      behaviour: { offer: unknown, grant: unknown, metadata: unknown, entry: unknown },
    })
    return held(`The wallet passed over what it does not know: ${tellRequests(session)}`, {
      verdictSource: answer.source,
    })
  },
})
