import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpClient } from '#scenarios/harness/http-client.ts'

const server = createServer(async (request, response) => {
  if (request.url === '/moved') return response.writeHead(302, { location: '/elsewhere' }).end()
  if (request.url === '/hang') return undefined
  if (request.url === '/endless') {
    const mebibyte = Buffer.alloc(1024 * 1024)
    const more = () => response.write(mebibyte, (error) => error ?? more())
    return more()
  }
  const { method, headers } = request
  const seen = { method, headers, body: await text(request) }
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(seen))
})

let origin: string
const never = new AbortController().signal
const client = createHttpClient({
  caller: 'portal',
  scenarioId: () => 'suite/name/ES256K@00:3',
  signal: never,
  timeoutMilliseconds: 200,
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('createHttpClient', () => {
  it('says which part it plays and to which scenario and step a request belongs', async () => {
    expect((await client.request(origin)).json).toMatchObject({
      method: 'GET',
      headers: { 'user-agent': 'lear-testbed/portal', 'x-scenario-id': 'suite/name/ES256K@00:3' },
    })
  })

  it('sends JSON and forms as such', async () => {
    expect((await client.request(origin, { json: { a: 1 } })).json).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    })
    expect((await client.request(origin, { form: { a: 'b c' } })).json).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=b+c',
    })
  })

  it('follows no redirect', async () => {
    const answer = await client.request(`${origin}/moved`)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/elsewhere'])
  })

  it('reads no body without end', async () => {
    const patient = createHttpClient({ caller: 'portal', scenarioId: () => '', signal: never })
    await expect(patient.request(`${origin}/endless`)).rejects.toMatchObject({
      code: 'no_answer',
      message: expect.stringContaining('longer than'),
    })
  })

  it('tells when no answer comes within the limit, and when nobody is there', async () => {
    await expect(client.request(`${origin}/hang`)).rejects.toMatchObject({ code: 'no_answer' })
    await expect(client.request('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'no_answer' })
  })
})
