import { defineCheck } from '../../../kit/check.ts'
import type { IdpContext } from '../context.ts'
import { findNoLogin } from '../find-no-login.ts'

export const check = defineCheck<IdpContext>({
  id: 'O04',
  title: 'A client that is not registered gets no login',
  level: 'spec',
  expectation: 'refuse',
  control: 'login',
  rows: ['1.endpoints/credential-idp.13'],
  clauses: ['RFC 6749, 4.1.2.1'],
  description: 'A login shown for nobody in particular is a login that anybody can ask people for.',
  sends: 'An authorization request with a client_id that nobody registered.',
  decides: 'The answer is an error page: no login, and no redirect.',
  async run({ authorizationUrl, createBrowser, target }) {
    const url = await authorizationUrl({ parameters: { client_id: 'nobody-registered-this' } })
    const page = await createBrowser().get(url.href)
    return findNoLogin('An unknown client', [page], [target.client.redirectUri])
  },
})
