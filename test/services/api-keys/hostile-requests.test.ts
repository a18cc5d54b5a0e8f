import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createApiKeysService } from '#services/api-keys/create-api-keys-service.ts'
import { changeMembers, hostileBodies } from '#test/support/hostile-bodies.ts'
import { callJson } from '#test/support/http.ts'
import { createTestRuntime, type RunningService, startService } from '#test/support/services.ts'

const operatorKey = 'operator-key-0123456789abcdef'
const known = { name: 'known', scope: 'tir', key: 'known-key-0123456789abcdef' }

let running: RunningService

beforeAll(async () => {
  running = await startService((baseUrl) =>
    createApiKeysService({ baseUrl, operatorKey, initialKeys: [known] }, createTestRuntime()),
  )
})
afterAll(() => running.stop())

const send = async (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => {
  const given = { headers: { 'x-api-key': operatorKey, ...headers }, body }
  const answer = await callJson(`${running.baseUrl}${path}`, given)
  return { status: answer.status, body: answer.body }
}
const list = async () => {
  const headers = { 'x-api-key': operatorKey }
  return (await fetch(`${running.baseUrl}/api-keys`, { headers })).json()
}

afterEach(async () => {
  expect(await list()).toMatchObject({ total: 1, items: [{ name: known.name, revoked_at: null }] })
})

describe.each([
  ['/api-keys', { name: 'somebody', scope: 'tir' }, ['name', 'scope']],
  ['/api-keys/validations', { key: known.key, scope: known.scope }, []],
] as const)('POST %s', (path, valid, free) => {
  it.each(hostileBodies)('rejects $name', async ({ status = 400, headers, make }) => {
    const body = make(valid)
    // These endpoints accept at most 8 KiB.
    const expected = status === 400 && body.length > 8192 ? 413 : status
    expect(await send(path, body, headers)).toEqual({
      status: expected,
      body: { error: expect.any(String), error_description: expect.any(String) },
    })
  })

  it('rejects each member that is missing or has the wrong type', async () => {
    for (const { name, body } of changeMembers(valid, free)) {
      const { status, body: answer } = await send(path, JSON.stringify(body))
      // A client may ask about any string; most strings are just not keys.
      const isAsked = path.endsWith('validations') && / of "[^"]+"$|^key of ""/.test(name)
      expect(isAsked ? answer : status, name).toEqual(isAsked ? { active: false } : 400)
    }
  })
})

it('rejects names and scopes that a database cannot store', async () => {
  const wrong = ['\u0000', 'a\u0000b', '\ud800', 'a\nb', 'n'.repeat(201)]
  for (const text of wrong) {
    for (const member of ['name', 'scope']) {
      const body = { name: 'a', scope: 'tir', [member]: text }
      expect((await send('/api-keys', JSON.stringify(body))).status).toBe(400)
    }
  }
})

it('rejects invalid page parameters', async () => {
  for (const page of ['0', '-1', 'x', '1.5', '%00', '9'.repeat(20)]) {
    const answer = await fetch(`${running.baseUrl}/api-keys?page=${page}`, {
      headers: { 'x-api-key': operatorKey },
    })
    expect(answer.status).toBe(400)
  }
})
