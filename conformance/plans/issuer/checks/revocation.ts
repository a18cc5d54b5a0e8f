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
    description: 'A person who leaves an organization must no longer act for it.',
    sends:
      'A representative gets a credential; the portal posts its id to /issuance/credential/revoke.',
    decides: 'The answer is 200.',
    fix: 'Accept the id of a delivered credential as credential_id at POST /issuance/credential/revoke, revoke the credential, and answer 200.',
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
    title: 'A revoked credential cannot be revoked again',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.errors.6', '1.states-and-transitions.4'],
    description:
      'With a success, an operator would believe that this request revoked the credential.',
    sends: 'POST /issuance/credential/revoke twice with the same credential_id.',
    decides: 'The first returns 200, the second 400.',
    fix: 'Read the status before you revoke. If the credential is already revoked, answer POST /issuance/credential/revoke with 400.',
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
    title: 'An unknown credential cannot be revoked',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.errors.5'],
    description: 'An operator who mistypes an id must not believe that the credential is revoked.',
    sends: 'POST /issuance/credential/revoke with a new urn:uuid and a valid Bearer token.',
    decides: 'The answer is 404.',
    fix: 'Look up credential_id before you revoke. If the issuer has no such credential, answer POST /issuance/credential/revoke with 404.',
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
    title: 'The list shows that a revoked credential is revoked',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.states-and-transitions.3', '1.endpoints/credential-issuer.7'],
    description: 'The list must show which people can act for the organization.',
    sends:
      'A representative gets a credential, the portal reads the list, revokes the credential and reads the list again.',
    decides:
      'The record with this credential_id has the status revoked. Any other new value is a WARN: the profile does not specify the values of status.',
    fix: 'Set status of the record to revoked when the revocation succeeds, so that the next POST /issuance/credential returns it.',
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
      return broken('The list does not show that it is revoked.', {
        expected: 'revoked',
        actual: after ?? 'no record',
        verdictSource,
        ...(hasChanged && { level: 'practice' }),
      })
    },
  },
})
