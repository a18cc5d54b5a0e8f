import type { LoginSystem } from './login-system.ts'

/** The peer's provider at an address. */
export const peerLoginSystem = (baseUrl: string): LoginSystem => ({
  authorizationEndpoint: `${baseUrl}/auth`,
  tokenEndpoint: `${baseUrl}/token`,
  userinfoEndpoint: `${baseUrl}/userinfo`,
  scope: 'openid profile email',
  linkOf: (page) => (/id="link" href="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&'),
  statusUrlOf: (page) => `${baseUrl}/status/${/data-session="([^"]*)"/.exec(page)?.[1]}`,
  // The form of OpenID4VP 1.0, which is the one that oid4vc-ts takes.
  formOf: (presentation, { state }) => ({
    vp_token: JSON.stringify({ lear_credential: [presentation] }),
    state,
  }),
})
