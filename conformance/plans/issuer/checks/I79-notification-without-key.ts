import { randomUUID } from 'node:crypto'
import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { allHeld } from '../flow/all-held.ts'
import { requireOpenPortal } from '../flow/require-open-portal.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I79',
  title: 'Nobody but the Connector confirms an issuance',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.authentication.2', '1.endpoints/credential-issuer.9'],
  description: 'Whoever can confirm can have records say what never happened.',
  sends: 'POST /issuance/notifications without x-api-key, and with one that is wrong.',
  decides:
    'Each is answered 401 or 403. Another 4xx is a WARN: it does not show that the key was what it failed at.',
  needs: ['portal'],
  async run(context) {
    const portal = context.portal()
    await requireOpenPortal(portal)
    const json = { subject_id: randomUUID(), event: 'issued' }
    const statuses = [401, 403]
    const findings = [
      findRefusal(await portal.post('notifications', json), {
        what: 'The notification without x-api-key',
        statuses,
        statusLevel: 'practice',
      }),
      findRefusal(await portal.post('notifications', json, { 'x-api-key': 'a-key-of-nobody' }), {
        what: 'The notification with a wrong x-api-key',
        statuses,
        statusLevel: 'practice',
      }),
    ]
    return findings.find(({ kind }) => kind !== 'held') ?? allHeld(findings)
  },
})
