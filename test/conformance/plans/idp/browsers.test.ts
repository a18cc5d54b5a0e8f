import { expect, it } from 'vitest'
import { checks } from '#conformance/plans/idp/checks/browsers.ts'
import type { IdpContext } from '#conformance/plans/idp/context.ts'

const issuer = 'https://idp.example'
const callback = 'https://relying-party.example/callback'
const uuid = 'c0d3ab1e-0000-4000-8000-000000000000'

it.each([
  ['a code of three parts', { code: `${uuid}.${uuid}.${uuid}` }, 'held'],
  ['three parts that are not JSON', { session_state: `${uuid}.${uuid}.${uuid}` }, 'held'],
  ['a JWT as its code', { code: 'e30.e30.e30' }, 'held'],
  ['a JWT', { person: 'e30.e30.e30' }, 'broken'],
])('O97 evaluates an address with %s', async (_what, parameters, kind) => {
  const answer = { method: 'GET', url: issuer, status: 303, headers: new Headers() }
  const context = {
    target: { client: { redirectUri: callback } },
    authorizationUrl: async () => new URL(issuer),
    httpAs: () => ({ request: async () => answer }),
    logIn: async () => ({
      callback: new URL(`${callback}?${new URLSearchParams(parameters)}`),
      page: { url: issuer, text: '' },
    }),
  } as unknown as IdpContext
  expect(await checks['O97-nothing-stored']?.run(context)).toMatchObject({ kind })
})
