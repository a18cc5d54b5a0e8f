import { z } from 'zod'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { listRecords } from '../flow/list-records.ts'
import { requestOwnOffer } from '../flow/request-own-offer.ts'
import { signIn } from '../flow/sign-in.ts'
import type { IssuerContext } from '../issuer-context.ts'

/** Types of the members are not shown in the documents. */
const zRecord = z.looseObject({
  id: z.unknown().refine((value) => value !== undefined),
  vc_type: z.string(),
  subject_id: z.string(),
  organization_identifier: z.string(),
  status: z.string(),
  credential_id: z.unknown().refine((value) => value !== undefined),
  creation_at: z.unknown().refine((value) => value !== undefined),
  update_at: z.unknown().refine((value) => value !== undefined),
})

export const check = defineCheck<IssuerContext>({
  id: 'I84',
  title: 'Each record of the list is whole, and of the organization that was asked for',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.endpoints/credential-issuer.7',
    '1.resources-and-their-fields/issuedcredential.1',
    '1.resources-and-their-fields/issuedcredential.4',
    '1.resources-and-their-fields/issuedcredential.8',
  ],
  description: 'The list is all that a portal has to show and to revoke by.',
  sends: 'POST /issuance/credential for the organization, which has one record at least.',
  decides:
    'Each record has id, vc_type, subject_id, organization_identifier, status, credential_id, creation_at and update_at.',
  needs: ['portal'],
  async run(context) {
    const signedIn = await signIn(context.portal())
    await requestOwnOffer(signedIn)
    const records = await listRecords(signedIn)
    if (records.length === 0) return inconclusive('The list is empty: see I80.')
    const verdictSource = 'the answer of /issuance/credential'
    const { organizationIdentifier: expected } = signedIn.portal
    for (const record of records) {
      const result = zRecord.safeParse(record)
      if (!result.success) {
        const members = result.error.issues.map(({ path }) => path.join('.'))
        const actual = Object.keys(record)
        return broken(`A record lacks ${members.join(', ')}.`, { actual, verdictSource })
      }
      const actual = result.data.organization_identifier
      if (actual === expected) continue
      return broken('A record is of another organization.', { expected, actual, verdictSource })
    }
    return held(`${records.length} records are whole.`, { verdictSource })
  },
})
