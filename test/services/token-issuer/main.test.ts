import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { createTokenIssuerConfig } from '#test/support/start-token-issuer.ts'

const program = join(import.meta.dirname, '../../../services/token-issuer/main.ts')

describe('the token issuer as a program', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  const start = (environment: Record<string, string>) => {
    const env = { PATH: process.env.PATH ?? '', ...environment }
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return child
  }

  it('takes its configuration from the environment, serves, and ends on SIGTERM', async () => {
    const { cookieKeys, apiKeys, clients, accounts } = await createTokenIssuerConfig('')
    const child = start({
      BASE_URL: 'http://token-issuer.example',
      COOKIE_KEYS: JSON.stringify(cookieKeys),
      API_KEYS: JSON.stringify(apiKeys),
      CLIENTS: JSON.stringify(clients),
      ACCOUNTS: JSON.stringify(accounts),
      ACCESS_TOKEN_LIFETIME: '60',
    })
    const [line] = await once(createInterface(child.stderr), 'line')
    const { port } = JSON.parse(String(line)).address
    const health = await fetch(`http://127.0.0.1:${port}/health`)
    expect(await health.json()).toEqual({ status: 'ok' })
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  it('ends with 2 and names every wrong variable', async () => {
    const child = start({ BASE_URL: 'nowhere', COOKIE_KEYS: '["short"]' })
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect(code).toBe(2)
    for (const name of ['BASE_URL', 'COOKIE_KEYS', 'API_KEYS', 'CLIENTS', 'ACCOUNTS']) {
      expect(said).toContain(name)
    }
  })
})
