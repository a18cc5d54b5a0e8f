import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClientOptions } from '#kit/create-http-client.ts'
import { withRequestContext } from '#kit/request-context.ts'
import { listenForTest } from '#test/support/servers.ts'
import { createTestRuntime } from '#test/support/services.ts'

async function serve(handler: RequestListener, options: Partial<HttpClientOptions> = {}) {
  const baseUrl = await listenForTest(createServer(handler))
  const runtime = createTestRuntime()
  const client = createHttpClient(runtime, {
    caller: 'issuer',
    dependency: 'connector',
    baseUrl,
    ...options,
  })
  return { client, runtime }
}

const unavailable = { code: 'dependency_unavailable', status: 503 }

describe('the HTTP client of a service', () => {
  it('sends JSON with the identifiers of the current request', async () => {
    const { client } = await serve((request, response) => {
      const { 'x-request-id': id, 'x-scenario-id': scenario, 'user-agent': agent } = request.headers
      response.end(JSON.stringify({ id, scenario, agent, type: request.headers['content-type'] }))
    })
    const answer = await withRequestContext({ requestId: 'r1', scenarioId: 's1' }, () =>
      client.postJson('/x', {}),
    )
    expect(answer.json).toEqual({
      id: 'r1',
      scenario: 's1',
      agent: 'lear-testbed/issuer',
      type: 'application/json',
    })
  })

  it('returns any status, and undefined if the body is not JSON', async () => {
    const { client } = await serve((_request, response) => response.writeHead(500).end('<html>'))
    expect(await client.getJson('/x')).toMatchObject({ status: 500, json: undefined })
  })

  it('does not follow redirects', async () => {
    const { client } = await serve((request, response) => {
      if (request.url === '/elsewhere') return response.end('arrived')
      return response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect(await client.request('/x')).toMatchObject({ status: 302, text: '' })
  })

  it('sends requests only to its dependency', async () => {
    const { client } = await serve((_request, response) => response.end())
    await expect(client.request('http://127.0.0.2:1/x')).rejects.toMatchObject(unavailable)
    await expect(client.fetch('http://127.0.0.2:1/x')).rejects.toThrow(TypeError)
  })

  it('aborts a response that is too large or too slow', async () => {
    const large = await serve((_request, response) => response.end('x'.repeat(2000)), {
      limit: 1000,
    })
    await expect(large.client.request('/x')).rejects.toMatchObject(unavailable)
    const slow = await serve(() => {}, { timeoutMilliseconds: 50 })
    await expect(slow.client.request('/x')).rejects.toMatchObject(unavailable)
  })

  it('cannot reach the dependency while its fault is on', async () => {
    let requests = 0
    const { client, runtime } = await serve(
      (_request, response) => {
        requests++
        response.end('{}')
      },
      { faults: ['connector-down'] },
    )
    runtime.activeFaults.add('connector-down')
    await expect(client.getJson('/x')).rejects.toMatchObject(unavailable)
    expect(requests).toBe(0)
    runtime.activeFaults.clear()
    expect((await client.getJson('/x')).status).toBe(200)
  })
})
