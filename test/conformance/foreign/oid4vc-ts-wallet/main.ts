// A wallet made of oid4vc-ts, which speaks OpenID4VCI and OpenID4VP, with did-jwt and jose behind its
// callbacks. `node main.ts VERB [--data FOLDER] [--pin PIN] [--did-registry URL] [LINK]`, where VERB is
// accept-offer, present, list or reset. Exit code 0: done, 1: refused, 3: something failed.
// `node main.ts serve [--port N]` serves the same verbs over HTTP and prints its address.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { setGlobalConfig } from '@openid4vc/oauth2'
import { createVerbs, exitCodeOf, isVerb, type VerbOptions, type Verbs } from './create-verbs.ts'
import { openStore } from './open-store.ts'

/** One wallet for each working folder, kept unchanged between calls. */
function folderOf(workingFolder: string): string {
  const name = createHash('sha256').update(workingFolder).digest('hex').slice(0, 16)
  return join(tmpdir(), `oid4vc-ts-wallet-${name}`)
}

/**
 * Serves the verbs over HTTP on loopback: 200 done, 422 refused, 502 failed. Returns its
 * address.
 */
async function serveVerbs(verbs: Verbs, port: number): Promise<string> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, content: object) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(content))
    const name = request.url?.slice(1) ?? ''
    if (!isVerb(name)) return answer(404, { error: 'not_found' })
    try {
      const body = request.method === 'POST' ? ((await json(request)) as VerbOptions) : {}
      answer(200, await verbs[name](body))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      answer(exitCodeOf(error) === 1 ? 422 : 502, { error_description: message })
    }
  })
  server.listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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
