import { defineCheck } from '../../../kit/check.ts'
import type { IdpContext } from '../context.ts'
import { findNoLogin } from '../find-no-login.ts'

export const check = defineCheck<IdpContext>({
  id: 'O05',
  title: 'A response_type other than code is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'login',
  rows: ['1.endpoints/credential-idp.15'],
  clauses: ['RFC 6749, 4.1.2.1'],
  description: 'The implicit flow puts tokens into addresses, where histories and logs keep them.',
  sends: 'Authorization requests with response_type token, id_token, and none at all.',
  decides:
    'The browser comes back with an error, or an error page is shown; no login, no token in the address.',
  async run({ authorizationUrl, createBrowser }) {
    const pages = []
    for (const response_type of ['token', 'id_token', undefined]) {
      const url = await authorizationUrl({ parameters: { response_type, nonce: 'a-nonce' } })
      pages.push(await createBrowser().get(url.href))
    }
    return findNoLogin('An authorization request with another response_type', pages)
  },
})
