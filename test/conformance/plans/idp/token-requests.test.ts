import { expect, it } from 'vitest'
import { checks } from '#conformance/plans/idp/checks/token-requests.ts'
import type { IdpContext } from '#conformance/plans/idp/context.ts'

const issuer = 'https://idp.example'

it.each([
  ['nowhere', /(?!)/, { kind: 'held' }],
  ['in a poll', /session=s&/, { kind: 'broken', level: 'practice' }],
  ['at userinfo', /userinfo/, { kind: 'broken', level: 'practice' }],
  ['at the token endpoint, which RFC 6749 forbids', /token|session/, { kind: 'broken' }],
])('O96 evaluates an IDP that rejects unknown parameters %s', async (_where, rejected, finding) => {
  const answerAt = (url: string) => {
    const status = rejected.test(url) ? 400 : 200
    return { method: 'GET', url, status, text: '', json: { access_token: 'a', refresh_token: 'r' } }
  }
  const context = {
    baseUrl: issuer,
    target: { client: {} },
    endpoint: async (name: string) => `${issuer}/${name}`,
    httpAs: () => ({ request: async (url: string) => answerAt(url) }),
    logIn: async () => ({ page: { url: `${issuer}/?session=s`, text: '' } }),
    codeForm: () => ({}),
    requestTokens: async () => answerAt(`${issuer}/token`),
  } as unknown as IdpContext
  const found = await checks['O96-unknown-and-empty-parameters']
    ?.run(context)
    .catch(({ extra }) => extra.finding)
  expect(found).toMatchObject(finding)
  expect('level' in found).toBe('level' in finding)
})
