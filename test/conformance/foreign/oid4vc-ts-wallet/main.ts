// A wallet made of oid4vc-ts, which speaks OpenID4VCI and OpenID4VP, with did-jwt and jose behind its
// callbacks. `node main.ts VERB [--data FOLDER] [--pin PIN] [--did-registry URL] [LINK]`, where VERB is
// accept-offer, present, list or reset. Exit code 0: done, 1: refused, 3: something failed.
// `node main.ts serve [--port N]` serves the same verbs over HTTP and prints its address.
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setGlobalConfig } from '@openid4vc/oauth2'
import { createVerbs, isVerb } from './create-verbs.ts'
import { exitCodeOf } from './exit-code-of.ts'
import { openStore } from './open-store.ts'
import { serveVerbs } from './serve-verbs.ts'

/** One wallet for each working folder, kept unchanged between calls. */
function folderOf(workingFolder: string): string {
  const name = createHash('sha256').update(workingFolder).digest('hex').slice(0, 16)
  return join(tmpdir(), `oid4vc-ts-wallet-${name}`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: folderOf(process.cwd()) },
    pin: { type: 'string' },
    port: { type: 'string', default: '0' },
    'did-registry': { type: 'string', default: process.env.TESTBED_DID_REGISTRY_URL },
  },
})
const [verb = '', link] = positionals

// The library refuses http otherwise; a test runs on loopback addresses.
setGlobalConfig({ allowInsecureUrls: true })

const verbs = createVerbs(await openStore(values.data), values['did-registry'])
if (verb === 'serve') {
  console.log(await serveVerbs(verbs, Number(values.port)))
} else if (isVerb(verb)) {
  try {
    console.log(JSON.stringify(await verbs[verb]({ link, pin: values.pin })))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = exitCodeOf(error)
  }
} else {
  console.error('accept-offer, present, list, reset or serve')
  process.exitCode = 2
}
