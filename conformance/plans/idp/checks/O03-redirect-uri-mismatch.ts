import { defineCheck } from '../../../kit/check.ts'
import type { IdpContext } from '../context.ts'
import { findNoLogin } from '../find-no-login.ts'

export const check = defineCheck<IdpContext>({
  id: 'O03',
  title: 'A redirect_uri that is not registered is never redirected to',
  level: 'spec',
  expectation: 'refuse',
  control: 'login',
  rows: ['1.endpoints/credential-idp.14'],
  clauses: ['OpenID Connect Core 1.0, 3.1.2.1'],
  description: 'Whoever gets a browser sent to an address of their own gets the code with it.',
  sends:
    'Authorization requests with another host, a longer path, and a host that the registered one begins.',
  decides: 'No answer is a redirect to that address, and none shows a login.',
  async run({ authorizationUrl, createBrowser, target }) {
    const { redirectUri } = target.client
    const others = [
      'https://attacker.example/callback',
      `${redirectUri}/further`,
      withLongerHost(redirectUri),
    ]
    const pages = []
    for (const redirect_uri of others) {
      const url = await authorizationUrl({ parameters: { redirect_uri } })
      pages.push(await createBrowser().get(url.href, redirect_uri))
    }
    return findNoLogin('An authorization request with a foreign redirect_uri', pages, others)
  },
})

/** The registered host, as the beginning of another one. */
function withLongerHost(address: string): string {
  const url = new URL(address)
  url.hostname = `${url.hostname}.attacker.example`
  return url.href
}
