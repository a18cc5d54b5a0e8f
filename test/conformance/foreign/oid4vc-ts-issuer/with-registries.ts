// The issuer, with a DID registry and a TIR that know it. Those are not third-party: they are the
// kit's. `node with-registries.ts --port N --registries-port N`. Prints both addresses and the root of trust.
import { parseArgs } from 'node:util'
import { setGlobalConfig } from '@openid4vc/openid4vci'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { openTrustWorld } from '#conformance/world/open-trust-world.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { serveIssuer } from './serve-issuer.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'registries-port': { type: 'string', default: '0' },
  },
})

setGlobalConfig({ allowInsecureUrls: true })

const server = await startKitServer({
  exchanges: createExchangeLog(),
  caller: 'anybody',
  port: Number(values['registries-port']),
})
const now = Math.floor(Date.now() / 1000)
const { world, addresses } = openTrustWorld(server, { seed: 'oid4vc-ts-issuer', now })
const { issuer, policy } = world
const baseUrl = await serveIssuer({
  port: Number(values.port),
  issuerDid: issuer.did,
  issuerKid: issuer.kid,
  issuerPrivateKey: Buffer.from(String(issuer.privateKey.d), 'base64url').toString('hex'),
  termsOfUseUrl: createTermsOfUseUrl(policy.tirBaseUrl, issuer),
})
console.log(JSON.stringify({ credentialIssuer: baseUrl, ...addresses }))
