import { requireAnswer } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { held } from '../../../kit/finding.ts'
import { obtainOwnCredential } from '../flow/obtain-own-credential.ts'
import { signIn } from '../flow/sign-in.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I73',
  title: 'A credential can be revoked',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/credential-issuer.8', '1.states-and-transitions.3'],
  description: 'Who leaves an organization must not go on acting for it.',
  sends:
    'A representative takes a credential; the portal posts its id to /issuance/credential/revoke.',
  decides: 'The answer is 200.',
  needs: ['portal'],
  async run(context) {
    const signedIn = await signIn(context.portal())
    const json = { credential_id: await obtainOwnCredential(context, signedIn) }
    const { portal, headers } = signedIn
    requireAnswer(await portal.post('credential/revoke', json, headers), 'The revocation')
    return held('It is revoked.', { verdictSource: 'HTTP status of /issuance/credential/revoke' })
  },
})
