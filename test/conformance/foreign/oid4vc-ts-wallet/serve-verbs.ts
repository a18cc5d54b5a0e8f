import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { isVerb, type VerbOptions, type Verbs } from './create-verbs.ts'
import { exitCodeOf } from './exit-code-of.ts'

/**
 * Serves the verbs over HTTP on loopback: 200 done, 422 refused, 502 failed. Returns its
 * address.
 */
export async function serveVerbs(verbs: Verbs, port: number): Promise<string> {
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
