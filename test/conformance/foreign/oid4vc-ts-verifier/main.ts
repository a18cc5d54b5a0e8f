// A verifier made of oid4vc-ts and Express, with did-jwt and jose behind its callbacks. `node main.ts
// --port N` prints its address. `POST /sessions` gives `{"link", "session"}`, `GET /sessions/ID` gives
// `{"status"}`. DIDs of issuers resolve where TESTBED_DID_REGISTRY_URL says.
import { parseArgs } from 'node:util'
import { setGlobalConfig } from '@openid4vc/oauth2'
import { serveVerifier } from './serve-verifier.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })

// The library refuses http otherwise; a test runs on loopback addresses.
setGlobalConfig({ allowInsecureUrls: true })

const { TESTBED_DID_REGISTRY_URL: didRegistryUrl = '' } = process.env
console.log(await serveVerifier({ port: Number(values.port), didRegistryUrl }))
