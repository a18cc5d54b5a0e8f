import { createHolder, createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { privateKeyHexOf } from '#core/crypto/jwk.ts'
import { createSigningKey } from '#core/crypto/jws.ts'
import { createVpToken } from '#core/oid4vp/vp-token.ts'
import { startTrustServers } from '#test/support/verifier.ts'
import { countSides } from '../costs/counts.ts'
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
  const now = Math.floor(Date.now() / 1000)
  const world = createTrustWorld({ now })
  const servers = await startTrustServers(world)
  const verifier = world.createParty('verifier')
  const parties = Array.from({ length: holders }, (_, index) => createParty(world, index))
  const issuerDid = String(world.credentialPayload(createHolder('holder', 'Ed25519').did).iss)
  const issuerDocument = world.documentAt(issuerDid, now)
  if (issuerDocument === undefined) throw new Error('the issuer has no DID document')
  const setup = {
    client,
    trustUrl: servers.baseUrl,
    tirBaseUrl: world.policy.tirBaseUrl,
    credentialIssuerUrl: world.policy.credentialIssuerUrls[0] ?? '',
    rootDid: world.root.did,
    verifierKid: verifier.kid,
    verifierPrivateKey: privateKeyHexOf(verifier.privateKey),
    issuerDocument,
  }
  const start = async (name: 'ours' | 'peer' | 'lean', hasProbe = false) => {
    const { url, readCounts, stop } = await startSystem(name, setup, hasProbe)
    const system = name === 'ours' ? ourLoginSystem(url) : peerLoginSystem(url)
    const run = (index: number) => logIn(system, parties[index % holders] as LoginParty)
    return { name: namesOf[name], run, readCounts, stop }
  }
  const startAll = (hasProbe: boolean) =>
    Promise.all([start('ours', hasProbe), start('peer', hasProbe), start('lean', hasProbe)])
  try {
    const counted = await startAll(true)
    const counts = await countSides('a login', counted)
    for (const { stop } of counted) await stop()
    const [ours, peer, lean] = await startAll(false)
    const figures = await compare(
      {
        unit: 'logins',
        ours: { name: ours.name, operation: ours.run },
        peers: [
          { name: peer.name, operation: peer.run, atLeast: 1.5, atConcurrency: 8 },
          { name: lean.name, operation: lean.run },
        ],
        loads: [
          { concurrency: 1, operations: 40 },
          { concurrency: 8, operations: 200 },
        ],
      },
      say,
    )
    for (const { stop } of [ours, peer, lean]) await stop()
    return [...figures, ...counts]
  } finally {
    await servers.stop()
  }
}

const namesOf = {
  ours: 'this testbed',
  peer: 'oidc-provider and oid4vc-ts',
  lean: 'the lean peer',
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
