import { randomUUID } from 'node:crypto'
import { defineCheck, findEach } from '../../../kit/check.ts'
import { asPremise, findRefusal } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { IssuanceEndpoint, Portal } from '../open-portal.ts'
import { listRecords, signIn, smallPower } from '../portal-steps.ts'

const endpoints: readonly IssuanceEndpoint[] = [
  'representative',
  'employee',
  'identifiers',
  'credential',
  'credential/revoke',
]

const forged = { authorization: 'Bearer e30.e30.c2ln' }

export const check = defineCheck<IssuerContext>({
  id: 'I87',
  title: 'No endpoint for portals answers without a Bearer token',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.authentication.1', '1.errors.1'],
  description: 'One endpoint that forgot to ask is enough.',
  sends: `POST to ${endpoints.map((name) => `/issuance/${name}`).join(', ')}, each with a good body, without a token, and with one that nobody minted.`,
  decides:
    'Each is answered 401, while a token that is good is served. Another 4xx without a token is a WARN: the profile says 401 of tokens that are there.',
  needs: ['portal'],
  async run(context) {
    const portal = context.portal()
    await asPremise('listing credentials with a good token', listRecords(await signIn(portal)))
    const requests = endpoints.flatMap((endpoint) => [
      { endpoint, token: 'no token', headers: {}, statusLevel: 'practice' as const },
      { endpoint, token: 'a token that nobody minted', headers: forged },
    ])
    return findEach(requests, async ({ endpoint, token, headers, ...expected }) => {
      const answer = await portal.post(endpoint, bodyFor(endpoint, portal), headers)
      const what = `The request to /issuance/${endpoint} with ${token}`
      return findRefusal(answer, { what, statuses: [401], ...expected })
    })
  },
})

/** Bodies with nothing wrong, so that nothing but the token is there to be refused. */
function bodyFor(endpoint: IssuanceEndpoint, portal: Portal): unknown {
  const power = smallPower(portal)
  switch (endpoint) {
    case 'representative':
      return { power }
    case 'employee':
      return { email: 'nobody@example.org', power }
    case 'identifiers':
      return { subject_id: randomUUID() }
    case 'credential':
      return { organization_identifiers: [portal.organizationIdentifier] }
    default:
      return { credential_id: `urn:uuid:${randomUUID()}` }
  }
}
