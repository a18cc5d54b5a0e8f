import { expect, it, onTestFinished } from 'vitest'
import { createExchangeLog } from '#scenarios/conformance/evidence/create-exchange-log.ts'
import { openTrustWorld } from '#scenarios/conformance/world/open-trust-world.ts'
import { startKitServer } from '#scenarios/conformance/world/start-kit-server.ts'

async function startServer() {
  const exchanges = createExchangeLog()
  const server = await startKitServer({ exchanges, caller: 'wallet under test' })
  onTestFinished(server.close)
  const trust = openTrustWorld(server, { seed: 'x', now: Math.floor(Date.now() / 1000) })
  const did = `/api/v1/identifiers/${encodeURIComponent(trust.world.issuer.did)}`
  return { exchanges, server, trust, ask: (path = did) => fetch(`${server.origin}${path}`) }
}

it('has the part with the longest prefix answer, and records it', async () => {
  const { exchanges, server, ask } = await startServer()
  server.mount('/a', 'outer', ({ path }) => ({ status: 200, body: `outer ${path}` }))
  const end = server.mount('/a/b', 'inner', ({ path }) => ({ status: 200, body: `inner ${path}` }))
  expect(await (await ask('/a/b/c?d=1')).text()).toBe('inner /c')
  expect(await (await ask('/a/bc')).text()).toBe('outer /bc')
  end()
  expect(await (await ask('/a/b/c')).text()).toBe('outer /b/c')
  expect(exchanges.take().map(({ to, url }) => [to, new URL(url).pathname])).toEqual([
    ['inner', '/a/b/c'],
    ['outer', '/a/bc'],
    ['outer', '/a/b/c'],
  ])
})

it('refuses a body beyond any limit', async () => {
  const { server } = await startServer()
  server.mount('/a', 'a', () => ({ status: 200 }))
  const body = 'x'.repeat(3 * 1024 * 1024)
  expect((await fetch(`${server.origin}/a`, { method: 'POST', body })).status).toBe(413)
})

it('has registries misbehave until they are settled', async () => {
  const { trust, ask } = await startServer()
  expect((await ask()).status).toBe(200)
  trust.misbehave('did-registry', 'server-error')
  expect((await ask()).status).toBe(500)
  trust.misbehave('did-registry', 'overloaded')
  expect((await ask()).status).toBe(429)
  trust.misbehave('did-registry', 'not-json')
  expect((await ask()).headers.get('content-type')).toBe('text/html')
  trust.misbehave('did-registry', 'down')
  await expect(ask()).rejects.toThrow(TypeError)
  trust.settle()
  expect((await ask()).status).toBe(200)
})

it('knows the same parties for the same seed, so that a system is configured once', async () => {
  const [one, other] = [await startServer(), await startServer()]
  expect(one.trust.addresses.rootDid).toBe(other.trust.addresses.rootDid)
  expect(one.trust.world.issuer.did).not.toBe(one.trust.world.tao.did)
})
