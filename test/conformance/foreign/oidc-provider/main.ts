// oidc-provider as it comes, an OpenID provider that logs people in with a form: `node main.ts --port N
// --client-id ID --client-secret SECRET --redirect-uri URL`, the last three twice for two clients.
import { parseArgs } from 'node:util'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'client-id': { type: 'string', multiple: true, default: [] },
    'client-secret': { type: 'string', multiple: true, default: [] },
    'redirect-uri': { type: 'string', multiple: true, default: [] },
  },
})

const { privateKey } = await generateKeyPair('RS256', { extractable: true })
const issuer = `http://127.0.0.1:${values.port}`
const provider = new Provider(issuer, {
  jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
  // Glue: the paths and the scope that the profile fixes.
  routes: {
    authorization: '/accounts/authorize',
    token: '/accounts/token',
    userinfo: '/accounts/userinfo',
    jwks: '/accounts/jwks',
  },
  claims: {
    profile: ['name', 'given_name', 'family_name', 'preferred_username'],
    email: ['email'],
    'openid-vp-lear': ['organization', 'organization_identifier', 'user_identifier', 'power'],
  },
  responseTypes: ['code'],
  pkce: { required: () => false },
  clients: values['client-id'].map((client_id, index) => ({
    client_id,
    client_secret: values['client-secret'][index],
    redirect_uris: [values['redirect-uri'][index] ?? ''],
    grant_types: ['authorization_code'],
    response_types: ['code' as const],
    token_endpoint_auth_method: 'client_secret_basic' as const,
  })),
})
provider.listen(Number(values.port), '127.0.0.1', () => console.log(issuer))
