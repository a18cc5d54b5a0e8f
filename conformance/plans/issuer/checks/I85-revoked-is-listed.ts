import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { listRecords } from '../flow/list-records.ts'
import { obtainOwnCredential } from '../flow/obtain-own-credential.ts'
import { reachAnswer } from '../flow/reach-answer.ts'
import { signIn } from '../flow/sign-in.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I85',
  title: 'The list says of a revoked credential that it is revoked',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.states-and-transitions.3', '1.endpoints/credential-issuer.7'],
  description:
    'Whoever looks at the list must see who can act for the organization, and who can not.',
  sends:
    'A representative takes a credential, the portal reads the list, revokes it and reads the list again.',
  decides:
    'The record with this credential_id has the status revoked. Another text that it did not have before is a WARN: the documents do not show the values of status.',
  needs: ['portal'],
  async run(context) {
    const signedIn = await signIn(context.portal())
    const json = { credential_id: await obtainOwnCredential(context, signedIn) }
    const { portal, headers } = signedIn
    const statusInList = async () =>
      (await listRecords(signedIn)).find(({ credential_id: id }) => id === json.credential_id)
        ?.status
    const before = await statusInList()
    await reachAnswer('the revocation', portal.post('credential/revoke', json, headers))
    const after = await statusInList()
    const verdictSource = 'status in the list of /issuance/credential'
    if (after === 'revoked') return held('It is revoked in the list.', { verdictSource })
    const hasChanged = typeof after === 'string' && before !== undefined && after !== before
    return broken('The list does not say that it is revoked.', {
      expected: 'revoked',
      actual: after ?? 'no record',
      verdictSource,
      ...(hasChanged && { level: 'practice' }),
    })
  },
})
