import { expect, it } from 'vitest'
import { checks } from '#conformance/plans/idp/checks/sessions.ts'
import type { IdpContext } from '#conformance/plans/idp/context.ts'

const issuer = 'https://idp.example'
const returned = 'https://relying-party.example/callback?code=c'
const cookie = 'login=value-of-the-cookie'
const value = cookie.replace('login=', '')

it.each([
  ['in a hidden field of the page', { text: `<input type="hidden" value="${value}">` }, 'held'],
  ['in the address of the page', { address: `&id=${value}` }, 'broken'],
  ['in the link for wallets', { link: `openid4vp://?request_uri=${issuer}/${value}` }, 'broken'],
  ['that is the session code', { session: value }, 'broken'],
])('O30 evaluates a cookie with a value %s', async (_where, parts, kind) => {
  const { text = '', address = '', link = '', session = 's' } = parts as Record<string, string>
  const headersFor = (headers: Record<string, string> = {}) =>
    new Headers(headers.cookie?.includes(cookie) ? { location: returned } : {})
  const begin = (own: string) => ({
    browser: { cookiesFor: () => own, get: openerOf(own === cookie) },
    page: { url: `${issuer}/?session=${session}${address}`, text },
    link,
  })
  const openerOf = (isOwn: boolean) => async (url: string) =>
    isOwn ? { status: 0, url: returned } : { status: 200, url }
  const logins = [begin(cookie), begin('login=other')]
  const context = {
    baseUrl: issuer,
    target: { client: { redirectUri: 'https://relying-party.example/callback' }, patience: 0 },
    beginLogin: async () => logins.shift(),
    createBrowser: () => ({ get: openerOf(false) }),
    present: async () => ({ redirectUri: `${issuer}/continue` }),
    httpAs: () => ({
      request: async (url: string, { headers }: { headers?: Record<string, string> } = {}) => {
        const json = { status: 'SUCCESS' }
        return { method: 'GET', url, status: 200, headers: headersFor(headers), json, text: '' }
      },
    }),
  } as unknown as IdpContext
  expect(await checks['O30-other-browser']?.run(context)).toMatchObject({ kind })
})
