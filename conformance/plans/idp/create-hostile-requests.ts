import type { HttpRequest } from '#scenarios/harness/http-client.ts'
import type { IdpContext } from './context.ts'

const long = 'x'.repeat(20_000)
const form = 'application/x-www-form-urlencoded'

/** Invalid requests to each public endpoint, which no well-behaved client sends. */
export async function createHostileRequests(
  context: IdpContext,
): Promise<readonly (HttpRequest & { readonly url: string })[]> {
  const { baseUrl } = context
  const names = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri']
  const urls = await Promise.all(names.map(context.endpoint))
  const addresses = [...urls, `${baseUrl}/idp/api/auth/requests`, `${baseUrl}/health`]
  type Hostile = HttpRequest & { readonly url: string }
  return addresses.flatMap((url): Hostile[] => [
    { url, method: 'DELETE' },
    { url, method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":' },
    {
      url,
      method: 'POST',
      headers: { 'content-type': form },
      body: 'a=%E0%A4%A&b=%00&__proto__=1',
    },
    { url, method: 'POST', headers: { 'content-type': form }, body: 'code=1&code=2&client_id=' },
    { url, method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
    { url: `${url}?client_id=a&client_id=b&session[]=1&session=%00` },
    { url: `${url}?session=${long}` },
    { url: `${url}?state=%FF%FE&scope=%20&redirect_uri=javascript:alert(1)` },
    { url, headers: { authorization: 'Bearer' } },
    { url, headers: { authorization: 'Basic ====', accept: 'image/png' } },
  ])
}
