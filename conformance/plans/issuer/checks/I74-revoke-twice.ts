import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { obtainOwnCredential } from '../flow/obtain-own-credential.ts'
import { reachAnswer } from '../flow/reach-answer.ts'
import { signIn } from '../flow/sign-in.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I74',
  title: 'A revoked credential can not be revoked again',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.errors.6', '1.states-and-transitions.4'],
  description:
    'Whoever is told that it worked takes it for the first time, and for their own doing.',
  sends: 'POST /issuance/credential/revoke twice with the same credential_id.',
  decides: 'The first is answered 200, the second 400.',
  needs: ['portal'],
  async run(context) {
    const signedIn = await signIn(context.portal())
    const json = { credential_id: await obtainOwnCredential(context, signedIn) }
    const revoke = () => signedIn.portal.post('credential/revoke', json, signedIn.headers)
    await reachAnswer('the first revocation', revoke())
    return findRefusal(await revoke(), { what: 'The second revocation', statuses: [400] })
  },
})
