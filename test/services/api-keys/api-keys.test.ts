import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { zApiKeysConfig } from '#services/api-keys/config.ts'
import { createApiKeysService } from '#services/api-keys/create-api-keys-service.ts'
import { createTestRuntime } from '#test/support/create-test-runtime.ts'
import { startService } from '#test/support/start-service.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const first = { name: 'first', scope: 'tir', key: 'first-key-0123456789abcdef' }
const second = { name: 'second', scope: 'tir', key: 'second-key-0123456789abcdef' }

async function start(initialKeys: readonly object[], databaseUrl = 'sqlite::memory:') {
  const runtime = createTestRuntime()
  const running = await startService((baseUrl) =>
    createApiKeysService(zApiKeysConfig.parse({ baseUrl, databaseUrl, initialKeys }), runtime),
  )
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= running.stop()
    return stopped
  }
  onTestFinished(stop)
  const validate = async (body: unknown) => {
    const answer = await fetch(`${running.baseUrl}/api-keys/validations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as { active?: boolean } }
  }
  const isActive = async (key: string, scope: string) =>
    (await validate({ key, scope })).body.active
  return { baseUrl: running.baseUrl, runtime, validate, isActive, stop }
}

describe('the API key service', () => {
  it('tells valid keys from others, in the scope that they were given for', async () => {
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

  it('refuses what is no question', async () => {
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

  it('follows its configuration over restarts', async () => {
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

  it('gives no verdict while its database is away', async () => {
    const { validate, runtime } = await start([first])
    runtime.activeFaults.add('database-down')
    expect((await validate({ key: first.key, scope: 'tir' })).status).toBe(503)
  })

  it('refuses keys that could be guessed', () => {
    const config = { baseUrl: 'http://localhost', initialKeys: [{ ...first, key: 'short' }] }
    expect(zApiKeysConfig.safeParse(config).success).toBe(false)
  })

  it('has health, metrics and documentation', async () => {
    const { baseUrl } = await start([])
    for (const path of ['/health', '/metrics', '/api-docs', '/api-docs/openapi.json']) {
      expect((await fetch(baseUrl + path)).status).toBe(200)
    }
  })
})
