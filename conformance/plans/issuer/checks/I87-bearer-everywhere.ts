import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, defineCheck, type Finding, findEach } from '../../../kit/check.ts'
import { asPremise, findRefusal } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { listRecords, portalEndpoints, signIn, validBody } from '../portal-steps.ts'

const forged = { authorization: 'Bearer e30.e30.c2ln' }

export const check = defineCheck<IssuerContext>({
  id: 'I87',
  title: 'Every endpoint for portals requires a Bearer token',
  level: 'spec',
  expectation: 'refuse',
  control: 'portal',
  rows: ['1.authentication.1', '1.errors.1'],
  clauses: ['RFC 9110, 15.5.2'],
  description: 'A single unprotected endpoint is enough for an attack.',
  sends: `POST to ${portalEndpoints.map((name) => `/issuance/${name}`).join(', ')}, each with a valid body, without a token, and with a forged token. The same with an empty object and with JSON without its end instead of the body.`,
  decides:
    'Each returns 401, while a valid token is accepted. A different 4xx without a token is a WARN: the profile requires 401 only for tokens that are present. So is a 4xx other than 401 for a wrong body, and a 401 without WWW-Authenticate.',
  fix: 'Verify the Bearer token at every endpoint below /issuance that portals use, before you read the body. If it is missing or its signature is invalid, answer 401 with WWW-Authenticate: Bearer.',
  needs: ['portal'],
  async run(context) {
    const portal = context.portal()
    await asPremise('listing credentials with a valid token', listRecords(await signIn(portal)))
    const requests = portalEndpoints.flatMap((endpoint) => [
      { endpoint, token: 'no token', headers: {}, statusLevel: 'practice' as const },
      { endpoint, token: 'a forged token', headers: forged },
    ])
    const answers: HttpAnswer[] = []
    const finding = await findEach(requests, async ({ endpoint, token, headers, ...expected }) => {
      const answer = await portal.post(endpoint, validBody(endpoint, portal), headers)
      answers.push(answer)
      const what = `The request to /issuance/${endpoint} with ${token}`
      return findRefusal(answer, { what, statuses: [401], ...expected })
    })
    if (finding.kind !== 'held') return finding
    const early = await findEach(requests, ({ endpoint, token, headers }) =>
      findEach(['{}', '{"power": ['], async (body) => {
        const json = { 'content-type': 'application/json' }
        const answer = await portal.send(endpoint, { body, headers: { ...json, ...headers } })
        const what = `The request to /issuance/${endpoint} with ${token} and the body ${body}`
        return findRefusal(answer, { what, statuses: [401], statusLevel: 'practice' })
      }),
    )
    return early.kind === 'held' ? (findMissingChallenge(answers) ?? finding) : early
  },
})

function findMissingChallenge(answers: readonly HttpAnswer[]): Finding | undefined {
  const unchallenged = answers.find(({ headers }) => !headers.get('www-authenticate'))
  if (unchallenged === undefined) return undefined
  const { pathname } = new URL(unchallenged.url)
  return broken(`The 401 of ${pathname} has no challenge`, {
    level: 'final',
    expected: 'WWW-Authenticate: Bearer',
    actual: null,
    verdictSource: `WWW-Authenticate of ${pathname}`,
  })
}
