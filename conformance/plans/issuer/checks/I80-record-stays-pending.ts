import { classifyStatus } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { listRecords } from '../flow/list-records.ts'
import { requestOwnOffer } from '../flow/request-own-offer.ts'
import { signIn } from '../flow/sign-in.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I80',
  title: 'Without a confirmation the record stays pending',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.states-and-transitions.1',
    '1.resources-and-their-fields/issuedcredential.5',
    '1.endpoints/credential-issuer.7',
  ],
  description:
    'A record that says issued too early tells a portal that somebody holds what nobody collected.',
  sends:
    'A representative asks for an offer that nobody takes; a notification for it comes with a wrong x-api-key; the list is read before and after.',
  decides: 'The new record of the list is pending, and is so after the notification.',
  needs: ['portal'],
  async run(context) {
    const signedIn = await signIn(context.portal())
    const before = new Set((await listRecords(signedIn)).map(({ id }) => id))
    await requestOwnOffer(signedIn)
    const record = (await listRecords(signedIn)).find(({ id }) => !before.has(id))
    if (record === undefined) {
      return broken('The list has no record of the offer.', {
        verdictSource: '/issuance/credential',
      })
    }
    const { subject_id, credential_id } = record
    const notification = { subject_id, credential_id, event: 'issued' }
    const headers = { 'x-api-key': 'a-key-of-nobody' }
    const answer = await signedIn.portal.post('notifications', notification, headers)
    if (!['accepted', 'refused'].includes(classifyStatus(answer.status))) {
      const told = 'The notification with a wrong x-api-key was answered HTTP'
      return inconclusive(`${told} ${answer.status}, which shows nothing.`)
    }
    const after = (await listRecords(signedIn)).find(({ id }) => id === record.id)
    if (after === undefined) return inconclusive('The record is not in the list any more.')
    const verdictSource = 'status in the list of /issuance/credential'
    for (const { status } of [record, after]) {
      if (status === 'pending') continue
      const details = { expected: 'pending', actual: status, verdictSource }
      return broken('The record of an offer that nobody took is not pending.', details)
    }
    return held('It is pending before and after.', { verdictSource })
  },
})
