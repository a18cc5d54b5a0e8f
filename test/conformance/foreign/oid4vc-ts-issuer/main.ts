// An issuer made of oid4vc-ts and Express, with did-jwt and jose behind its callbacks. `node main.ts
// --port N --did DID --vmethod ID --key 0xHEX --terms-of-use URL`. Prints its address and serves until
// it is ended. `POST /offers` `{"tx_code": true, "by_reference": true}` makes an offer, with a PIN and at
// an address if wanted: `{"offer_uri", "pin"}`.
import { parseArgs } from 'node:util'
import { setGlobalConfig } from '@openid4vc/openid4vci'
import { serveIssuer } from './serve-issuer.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    did: { type: 'string', default: '' },
    vmethod: { type: 'string', default: '' },
    key: { type: 'string', default: '' },
    'terms-of-use': { type: 'string', default: '' },
  },
})

// The library refuses http otherwise; a test runs on loopback addresses.
setGlobalConfig({ allowInsecureUrls: true })

const baseUrl = await serveIssuer({
  port: Number(values.port),
  issuerDid: values.did,
  issuerKid: `${values.did}#${values.vmethod}`,
  issuerPrivateKey: values.key,
  termsOfUseUrl: values['terms-of-use'],
})
console.log(baseUrl)
