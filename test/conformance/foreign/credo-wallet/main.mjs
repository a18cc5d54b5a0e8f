// A wallet made of Credo, with keys and credentials in memory, served over HTTP so that they outlive
// a verb. `node main.mjs [--port N] [--did-registry URL]` prints its address. `POST /accept-offer`
// `{link, pin}`, `POST /present` `{link}`, `GET /list`, `POST /reset`. 200: done, 422: refused, 502: failed.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { createVerbs } from './create-verbs.mjs'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'did-registry': {
      type: 'string',
      default: process.env.TESTBED_DID_REGISTRY_URL ?? 'http://127.0.0.1:9',
    },
  },
})
const verbs = createVerbs({ didRegistryUrl: values['did-registry'] })

const server = createServer(async (request, response) => {
  const answer = (status, json) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  const verb = verbs[new URL(request.url, 'http://wallet').pathname.slice(1)]
  if (!verb) return answer(404, { error: 'not_found' })
  try {
    const body = await text(request)
    answer(200, await verb(body === '' ? {} : JSON.parse(body)))
  } catch (error) {
    // What fetch throws if there is no answer, and a server's fault, are not refusals.
    const status = error.response?.response?.status ?? error.response?.status
    const failed = error instanceof TypeError || status === 429 || status >= 500
    answer(failed ? 502 : 422, { error: error.name, error_description: error.message })
  }
})
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
