import { randomUUID } from 'node:crypto'
import { broken, defineChecks, held } from '../../../kit/check.ts'
import { asPremise, findRefusal, requireAnswer } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { listRecords, obtainOwnCredential, signIn } from '../portal-steps.ts'
import { reachAnswer } from '../redeeming.ts'

export const checks = defineChecks<IssuerContext>({
  'I73-revoke': {
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
  },
  'I74-revoke-twice': {
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
  },
  'I75-revoke-unknown': {
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
      return findRefusal(answer, {
        what: 'The revocation of an unknown credential',
        statuses: [404],
      })
    },
  },
  'I85-revoked-is-listed': {
    title: 'The list says of a revoked credential that it is revoked',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.states-and-transitions.3', '1.endpoints/credential-issuer.7'],
    description:
      'Whoever looks at the list must see who can act for the organization, and who can not.',
    sends:
      'A representative takes a credential, the portal reads the list, revokes it and reads the list again.',
    decides:
      'The record with this credential_id has the status revoked. Another text that it did not have before is a WARN: the profile does not show the values of status.',
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
  },
})
