import { createHolder, createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { privateKeyHexOf } from '#core/crypto/jwk.ts'
import { createSigningKey } from '#core/crypto/jws.ts'
import { createPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { createVpToken } from '#core/oid4vp/vp-token.ts'
import { startTrustServers } from '#test/support/verifier.ts'
import { compare } from '../harness/compare.ts'
import type { Measurement } from '../harness/measurement.ts'
import { type LoginParty, logIn } from '../login/log-in.ts'
import type { LoginSystem } from '../login/login-system.ts'
import { startSystem } from '../login/start-system.ts'

const presentation_submission = JSON.stringify(
  createPresentationSubmission({ id: 'x', queryId: 'lear_credential' }),
)

/** Our IDP at an address. */
const ourLoginSystem = (baseUrl: string): LoginSystem => ({
  authorizationEndpoint: `${baseUrl}/accounts/authorize`,
  tokenEndpoint: `${baseUrl}/accounts/token`,
  userinfoEndpoint: `${baseUrl}/accounts/userinfo`,
  scope: 'openid profile email openid-vp-lear',
  linkOf: (page) =>
    (/id="same-device"[^>]* href="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&'),
  statusUrlOf: (page) =>
    `${baseUrl}/idp/api/auth/requests?session=${/data-session="([^"]*)"/.exec(page)?.[1]}`,
  formOf: (vp_token, { state }) => ({ vp_token, presentation_submission, state }),
})

/** The peer's provider at an address. */
const peerLoginSystem = (baseUrl: string): LoginSystem => ({
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

const client = {
  clientId: 'relying-party',
  clientSecret: 'a secret of the relying party',
  redirectUri: 'http://127.0.0.1:9/callback',
}
const holders = 400

export const measurement: Measurement = {
  title:
    'complete logins, from the authorization request to userinfo, ' +
    "beside oidc-provider's own code flow with a presentation by oid4vc-ts",
  async measure(say) {
    const world = createTrustWorld({ now: Math.floor(Date.now() / 1000) })
    const servers = await startTrustServers(world)
    const verifier = world.createParty('verifier')
    const setup = {
      client,
      trustUrl: servers.baseUrl,
      tirBaseUrl: world.policy.tirBaseUrl,
      credentialIssuerUrl: world.policy.credentialIssuerUrls[0] ?? '',
      rootDid: world.root.did,
      verifierKid: verifier.kid,
      verifierPrivateKey: privateKeyHexOf(verifier.privateKey),
    }
    const parties = Array.from({ length: holders }, (_, index) => createParty(world, index))
    const partyOf = (index: number) => parties[index % holders] as LoginParty
    const ours = await startSystem('ours', setup)
    const peer = await startSystem('peer', setup)
    const ourSystem = ourLoginSystem(ours.url)
    const peerSystem = peerLoginSystem(peer.url)
    try {
      return await compare(
        {
          unit: 'logins',
          ours: { name: 'ours', operation: (index) => logIn(ourSystem, partyOf(index)) },
          peer: {
            name: 'oidc-provider and oid4vc-ts',
            operation: (index) => logIn(peerSystem, partyOf(index)),
          },
          loads: [
            { concurrency: 1, operations: 40 },
            { concurrency: 8, operations: 80 },
          ],
          atLeast: 1.2,
        },
        say,
      )
    } finally {
      await Promise.all([ours.stop(), peer.stop(), servers.stop()])
    }
  },
}

/** A person with a wallet and a credential of their own. */
function createParty(world: ReturnType<typeof createTrustWorld>, index: number): LoginParty {
  const holder = createHolder(`holder ${index}`, 'Ed25519')
  const privateKey = createSigningKey(holder.privateKey)
  const credential = world.issue(world.credentialPayload(holder.did))
  return {
    client,
    createPresentation: ({ client_id: audience, nonce }) =>
      createVpToken({
        holderDid: holder.did,
        kid: holder.kid,
        privateKey,
        audience,
        nonce,
        credentials: [credential],
        now: Math.floor(Date.now() / 1000),
      }),
  }
}
