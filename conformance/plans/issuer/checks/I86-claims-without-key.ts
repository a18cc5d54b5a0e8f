import { randomUUID } from 'node:crypto'
import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { requireOpenPortal } from '../flow/require-open-portal.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I86',
  title: 'Nobody but the Connector reads the claims of a credential',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.authentication.2', '1.endpoints/credential-issuer.10'],
  description: 'The claims hold names, addresses and powers of people.',
  sends: 'POST /issuance/claims without x-api-key.',
  decides:
    'The answer is 401 or 403. Another 4xx is a WARN: it does not show that the key was what it failed at.',
  needs: ['portal'],
  async run(context) {
    const portal = context.portal()
    await requireOpenPortal(portal)
    const answer = await portal.post('claims', { subject_id: randomUUID() })
    return findRefusal(answer, {
      what: 'The request without x-api-key',
      statuses: [401, 403],
      statusLevel: 'practice',
    })
  },
})
