import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { zApiKeysConfig } from '#services/api-keys/config.ts'
import { createApiKeysService } from '#services/api-keys/create-api-keys-service.ts'
import { callJson } from '#test/support/http.ts'
import {
  findExampleProblems,
  findOpenApiProblems,
  type OpenApiDocument,
} from '#test/support/open-api.ts'
import { createTestRuntime, startService } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const first = { name: 'first', scope: 'tir', key: 'first-key-0123456789abcdef' }
const second = { name: 'second', scope: 'tir', key: 'second-key-0123456789abcdef' }

const operatorKey = 'operator-key-0123456789abcdef'

interface KeyJson {
  readonly id: string
  readonly key: string
  readonly revoked_at: number | null
}

async function start(initialKeys: (typeof first)[], databaseUrl = 'sqlite::memory:') {
  const runtime = createTestRuntime()
  const running = await startService((baseUrl) =>
    createApiKeysService({ baseUrl, databaseUrl, initialKeys, operatorKey }, runtime),
  )
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= running.stop()
    return stopped
  }
  onTestFinished(stop)
  const validate = async (body: unknown) => {
    const url = `${running.baseUrl}/api-keys/validations`
    const answer = await callJson(url, typeof body === 'string' ? { body } : { json: body })
    return { status: answer.status, body: answer.body as { active?: boolean } }
  }
  const manage = async <Body = KeyJson>(
    method: string,
    path: string,
    body?: unknown,
    key: string | undefined = operatorKey,
  ) => {
    const headers = key === undefined ? {} : { 'x-api-key': key }
    const url = `${running.baseUrl}/api-keys${path}`
    const answer = await callJson(url, { method, headers, json: body })
    return { status: answer.status, body: answer.body as Body }
  }
  const isActive = async (key: string, scope: string) =>
    (await validate({ key, scope })).body.active
  return { baseUrl: running.baseUrl, runtime, validate, manage, isActive, stop }
}

describe('the API key service', () => {
  it('accepts only valid keys, each in its own scope', async () => {
    const { validate, isActive } = await start([first, second])
    expect(await validate({ key: first.key, scope: 'tir' })).toEqual({
      status: 200,
      body: { active: true },
    })
    expect(await isActive(second.key, 'tir')).toBe(true)
    for (const [key, scope] of [
      [first.key, 'issuer'],
      [first.key.toUpperCase(), 'tir'],
      [`${first.key} `, 'tir'],
      ['', 'tir'],
      ["' or 1=1 --", 'tir'],
    ] as const) {
      expect(await isActive(key, scope)).toBe(false)
    }
  })

  it('rejects malformed questions', async () => {
    const { validate } = await start([first])
    for (const body of [{}, '', 'null', { key: first.key }, { key: 1, scope: 'tir' }, '{']) {
      expect(await validate(body)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      })
    }
    expect((await validate({ key: 'k'.repeat(10_000), scope: 'tir' })).status).toBe(413)
  })

  it('stores a key only as a hash', async () => {
    const file = join(createTemporaryFolder(), 'api-keys.sqlite')
    const { isActive, stop } = await start([first], `sqlite:${file}`)
    expect(await isActive(first.key, 'tir')).toBe(true)
    await stop()
    expect(readFileSync(file).includes(first.name)).toBe(true)
    expect(readFileSync(file).includes(first.key)).toBe(false)
  })

  it('follows its configuration across restarts', async () => {
    const url = `sqlite:${join(createTemporaryFolder(), 'api-keys.sqlite')}`
    const verdicts = []
    for (const keys of [[first], [first, second], [second], [first, second]]) {
      const { isActive, stop } = await start(keys, url)
      verdicts.push([await isActive(first.key, 'tir'), await isActive(second.key, 'tir')])
      await stop()
    }
    expect(verdicts).toEqual([
      [true, false],
      [true, true],
      [false, true],
      [true, true],
    ])
  })

  it('answers without a verdict while its database is unavailable', async () => {
    const { validate, runtime } = await start([first])
    runtime.activeFaults.add('database-down')
    expect((await validate({ key: first.key, scope: 'tir' })).status).toBe(503)
  })

  it('rejects keys that are easy to guess', () => {
    const config = { baseUrl: 'http://localhost', initialKeys: [{ ...first, key: 'short' }] }
    expect(zApiKeysConfig.safeParse(config).success).toBe(false)
  })

  it('creates a key that is valid in its scope, and shows it once', async () => {
    const { manage, isActive } = await start([])
    const created = await manage('POST', '', { name: 'portal', scope: 'tir' })
    expect(created).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        name: 'portal',
        scope: 'tir',
        source: 'created',
        created_at: expect.any(Number),
        revoked_at: null,
        key: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      },
    })
    const { key, ...rest } = created.body
    expect([await isActive(key, 'tir'), await isActive(key, 'issuer')]).toEqual([true, false])
    const list = await manage<{ items: object[]; total: number }>('GET', '')
    expect(list.body).toMatchObject({ total: 1, items: [rest] })
    expect(JSON.stringify(list.body)).not.toContain(key)
    expect((await manage('POST', '', { name: 'portal', scope: 'tir' })).body.key).not.toBe(key)
  })

  it('rejects a revoked key permanently from the next question on', async () => {
    const { manage, isActive, runtime } = await start([])
    const { id, key } = (await manage('POST', '', { name: 'a', scope: 'tir' })).body
    const other = (await manage('POST', '', { name: 'b', scope: 'tir' })).body
    const revoked = await manage('DELETE', `/${id}`)
    expect([revoked.status, revoked.body]).toMatchObject([200, { id }])
    expect(revoked.body).not.toHaveProperty('key')
    expect([await isActive(key, 'tir'), await isActive(other.key, 'tir')]).toEqual([false, true])
    runtime.advance(100)
    expect((await manage('DELETE', `/${id}`)).body.revoked_at).toBe(revoked.body.revoked_at)
    const { body } = await manage<{ items: KeyJson[] }>('GET', '')
    expect(body.items.find((item) => item.id === id)?.revoked_at).toBe(revoked.body.revoked_at)
  })

  it('keeps created keys, configured keys and revocations across restarts', async () => {
    const url = `sqlite:${join(createTemporaryFolder(), 'api-keys.sqlite')}`
    const before = await start([first], url)
    const kept = (await before.manage('POST', '', { name: 'kept', scope: 'tir' })).body
    const list = await before.manage<{ items: (KeyJson & { name: string })[] }>('GET', '')
    const configured = list.body.items.find(({ name }) => name === first.name)
    await before.manage('DELETE', `/${configured?.id}`)
    await before.stop()
    const { isActive } = await start([first], url)
    expect([await isActive(kept.key, 'tir'), await isActive(first.key, 'tir')]).toEqual([
      true,
      false,
    ])
  })

  it('lets only the operator manage keys', async () => {
    const { manage, validate } = await start([first])
    const { body: before } = await manage<{ total: number }>('GET', '')
    for (const key of ['', 'wrong', first.key, `${operatorKey}x`]) {
      for (const [method, path, body] of [
        ['POST', '', { name: 'a', scope: 'tir' }],
        ['GET', '', undefined],
        ['DELETE', '/b9c7f6f2-0a53-4f0c-9d35-2a6f0b0a3c11', undefined],
      ] as const) {
        expect(await manage(method, path, body, key)).toMatchObject({
          status: 401,
          body: { error: 'invalid_api_key' },
        })
      }
    }
    expect((await manage<{ total: number }>('GET', '')).body.total).toBe(before.total)
    expect((await validate({ key: operatorKey, scope: 'tir' })).body.active).toBe(false)
  })

  it('disables key management if no operator key is configured', async () => {
    const running = await startService((baseUrl) =>
      createApiKeysService({ baseUrl }, createTestRuntime()),
    )
    for (const key of ['', 'undefined']) {
      const headers = { 'x-api-key': key }
      expect((await fetch(`${running.baseUrl}/api-keys`, { headers })).status).toBe(401)
    }
    await running.stop()
  })

  it.each(['nothing', '%00', 'b9c7f6f2-0a53-4f0c-9d35-2a6f0b0a3c11', '__proto__'])(
    'cannot revoke the unknown key %s',
    async (id) => {
      const { manage } = await start([first])
      expect(await manage('DELETE', `/${id}`)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
    },
  )

  it('pages through the keys', async () => {
    const { manage } = await start([])
    for (const name of ['a', 'b', 'c']) await manage('POST', '', { name, scope: 'tir' })
    const names = async (query: string) => {
      const { body } = await manage<{ items: { name: string }[] }>('GET', query)
      return body.items.map(({ name }) => name)
    }
    const all = await names('?pageSize=100')
    expect([...all].sort()).toEqual(['a', 'b', 'c'])
    expect(await names('?page=2&pageSize=2')).toEqual(all.slice(2))
    expect(await names(`?page=${Number.MAX_SAFE_INTEGER}&pageSize=100`)).toEqual([])
  })

  it('has health, metrics and documentation', async () => {
    const { baseUrl } = await start([])
    for (const path of ['/health', '/metrics', '/api-docs', '/api-docs/openapi.json']) {
      expect((await fetch(baseUrl + path)).status).toBe(200)
    }
    const document = await (await fetch(`${baseUrl}/api-docs/openapi.json`)).json()
    expect(findOpenApiProblems(document as OpenApiDocument)).toEqual([])
    expect(findExampleProblems(document as OpenApiDocument)).toEqual([])
  })
})
