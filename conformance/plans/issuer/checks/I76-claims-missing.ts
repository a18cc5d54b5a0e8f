import { documentedMessages } from '#scenarios/fixtures/expect-issuer-refusal.ts'
import { asPremise } from '../../../kit/as-premise.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import type { Finding } from '../../../kit/finding.ts'
import { allHeld } from '../flow/all-held.ts'
import { findDocumentedRefusal } from '../flow/find-documented-refusal.ts'
import { requestOwnOffer } from '../flow/request-own-offer.ts'
import { signIn } from '../flow/sign-in.ts'
import { smallPower } from '../flow/small-power.ts'
import type { IssuerContext } from '../issuer-context.ts'

const claims = ['organization_identifier', 'organization', 'user_identifier', 'email']

export const check = defineCheck<IssuerContext>({
  id: 'I76',
  title: 'A Bearer token without a required claim brings no offer',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.errors.2', '1.resources-and-their-fields/token-claims-required-by-the-issuer.1'],
  description: 'What is missing in the token would be missing in the mandate, or be made up.',
  sends: `POST /issuance/representative with tokens without ${claims.join(', ')}, one each.`,
  decides: `Each is answered 400, and the answer says "${documentedMessages.missingData}". With all claims there is an offer.`,
  needs: ['portal'],
  async run(context) {
    const portal = context.portal()
    await asPremise('the request with all claims', requestOwnOffer(await signIn(portal)))
    const findings: Finding[] = []
    for (const omit of claims) {
      const authorization = `Bearer ${await portal.createBearerToken({ omit })}`
      const json = { power: smallPower(portal) }
      const finding = findDocumentedRefusal(
        await portal.post('representative', json, { authorization }),
        {
          what: `The request with a token without ${omit}`,
          status: 400,
          message: documentedMessages.missingData,
        },
      )
      if (finding.kind !== 'held') return finding
      findings.push(finding)
    }
    return allHeld(findings)
  },
})
