import { expect, it } from 'vitest'
import { checks } from '#conformance/plans/idp/checks/authorization-variants.ts'
import type { IdpContext } from '#conformance/plans/idp/context.ts'

const redirectUri = 'https://relying-party.example/callback'
const url = 'https://idp.example/accounts/authorize'

it.each([
  [303, redirectUri, { kind: 'held' }],
  [308, `${url}/`, { kind: 'held' }],
  [307, '/accounts/authorize/', { kind: 'held' }],
  [307, `${redirectUri}?error=login_required`, { kind: 'broken', level: 'practice' }],
])('O58 evaluates HTTP %i to %s after a form', async (status, location, finding) => {
  const answer = { url, status, headers: new Headers({ location }) }
  const page = { url, status: 200, text: '<form method="post"></form>' }
  const context = {
    target: { client: { redirectUri }, walletLogin: false },
    authorizationUrl: async () => new URL(url),
    createBrowser: () => ({ get: async () => page, submit: async () => page }),
    httpAs: () => ({ request: async () => answer }),
  } as unknown as IdpContext
  expect(await checks['O58-authorization-by-post']?.run(context)).toMatchObject(finding)
})
