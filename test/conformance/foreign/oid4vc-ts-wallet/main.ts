// A wallet made of oid4vc-ts, which speaks OpenID4VCI and OpenID4VP, with did-jwt and jose behind its
// callbacks. `node main.ts VERB --data FOLDER [--pin PIN] [--did-registry URL] [LINK]`, where VERB is
// accept-offer, present, list or reset. Exit code 0: done, 1: refused, 3: something failed.
import { parseArgs } from 'node:util'
import { setGlobalConfig } from '@openid4vc/oauth2'
import { acceptOffer } from './accept-offer.ts'
import { createCallbacks } from './create-callbacks.ts'
import { exitCodeOf } from './exit-code-of.ts'
import { openStore } from './open-store.ts'
import { present } from './present.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: '.foreign-wallet' },
    pin: { type: 'string' },
    'did-registry': { type: 'string' },
  },
})
const [verb, link = ''] = positionals

// The library refuses http otherwise; a test runs on loopback addresses.
setGlobalConfig({ allowInsecureUrls: true })

try {
  const store = await openStore(values.data)
  const { account } = store
  const callbacks = createCallbacks({ account, didRegistryUrl: values['did-registry'] })
  if (verb === 'accept-offer') {
    const credential = await acceptOffer({ callbacks, account, link, pin: values.pin })
    await store.add(credential)
  } else if (verb === 'present') {
    const { redirectUri } = await present({ callbacks, account, link, held: store.credentials() })
    if (redirectUri !== undefined) console.log(redirectUri)
  } else if (verb === 'list') {
    console.log(JSON.stringify(store.credentials()))
  } else if (verb === 'reset') {
    await store.clear()
  } else {
    console.error('accept-offer, present, list or reset')
    process.exitCode = 2
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = exitCodeOf(error)
}
