import { createHolder, createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { privateKeyHexOf } from '#core/crypto/jwk.ts'
import { createSigningKey } from '#core/crypto/jws.ts'
import { createVpToken } from '#core/oid4vp/vp-token.ts'
import { startTrustServers } from '#test/support/verifier.ts'
import { compare, type Measurement, type Say } from '../harness.ts'
import { compareFlow } from '../testbed-flows.ts'
import { type LoginParty, logIn, ourLoginSystem } from './log-in.ts'
import { type LoginSystem, startSystem } from './login-system.ts'

/** The peer's provider at an address. */
const peerLoginSystem = (baseUrl: string): LoginSystem => ({
  authorizationEndpoint: `${baseUrl}/auth`,
  tokenEndpoint: `${baseUrl}/token`,
  userinfoEndpoint: `${baseUrl}/userinfo`,
  scope: 'openid profile email',
  linkOf: (page) => (/id="link" href="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&'),
  statusUrlOf: (page) => `${baseUrl}/status/${/data-session="([^"]*)"/.exec(page)?.[1]}`,
  // The form of OpenID4VP 1.0, which oid4vc-ts requires.
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

/**
 * Complete logins, from the authorization request to userinfo; the peer is oidc-provider's own code
 * flow with a presentation by oid4vc-ts.
 */
export const measureLogin: Measurement = async (say, base) => [
  ...(await compareWithPeers(say)),
  ...(await compareFlow('logIn', base, say)),
]

async function compareWithPeers(say: Say) {
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
        peers: [
          {
            name: 'oidc-provider and oid4vc-ts',
            operation: (index) => logIn(peerSystem, partyOf(index)),
            atLeast: 1.5,
            atConcurrency: 8,
          },
        ],
        loads: [
          { concurrency: 1, operations: 40 },
          { concurrency: 8, operations: 80 },
        ],
      },
      say,
    )
  } finally {
    await Promise.all([ours.stop(), peer.stop(), servers.stop()])
  }
}

/** A person with a wallet and a credential. */
function createParty(world: ReturnType<typeof createTrustWorld>, index: number): LoginParty {
  const holder = createHolder(`holder ${index}`, 'Ed25519')
  const privateKey = createSigningKey(holder.privateKey)
  const credential = world.issue(world.credentialPayload(holder.did))
  return {
    client,
    email: 'ana.ruiz@first.example',
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
