import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchOrNoAnswer } from '#conformance/kit/recorded-http.ts'

const server = createServer((request, response) => {
  if (request.url === '/empty') return response.writeHead(204).end()
  if (request.url === '/page') return response.writeHead(404, { 'set-cookie': 'a=b' }).end('hello')
  response.writeHead(200, { 'content-length': 100 }).write('half')
  return response.socket?.destroySoon()
})

let origin: string
const fetch = fetchOrNoAnswer(globalThis.fetch)

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('fetchOrNoAnswer', () => {
  it('gives an answer as it is', async () => {
    const page = await fetch(`${origin}/page`)
    expect([page.status, await page.text()]).toEqual([404, 'hello'])
    expect(page.headers.getSetCookie()).toEqual(['a=b'])
    expect((await fetch(`${origin}/empty`)).status).toBe(204)
  })

  it('tells where nobody is there, and where the answer breaks off', async () => {
    const noAnswer = { code: 'no_answer' }
    await expect(fetch('http://127.0.0.1:1/')).rejects.toMatchObject(noAnswer)
    await expect(fetch(`${origin}/half`)).rejects.toMatchObject(noAnswer)
  })
})
