import { randomUUID } from 'node:crypto'
import { asPremise } from '../../../kit/as-premise.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { listRecords } from '../flow/list-records.ts'
import { signIn } from '../flow/sign-in.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I75',
  title: 'What was never issued can not be revoked',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.errors.5'],
  description: 'Whoever mistypes an id must not believe that the credential has ended.',
  sends:
    'POST /issuance/credential/revoke with a urn:uuid of the kit, and a Bearer token that is good.',
  decides: 'The answer is 404.',
  needs: ['portal'],
  async run(context) {
    const signedIn = await signIn(context.portal())
    await asPremise('listing credentials with the same token', listRecords(signedIn))
    const json = { credential_id: `urn:uuid:${randomUUID()}` }
    const answer = await signedIn.portal.post('credential/revoke', json, signedIn.headers)
    return findRefusal(answer, { what: 'The revocation of an unknown credential', statuses: [404] })
  },
})
