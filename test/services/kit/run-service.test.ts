import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'

const program = resolve(import.meta.dirname, '../../../services/mail/main.ts')

/** Runs only the mail service, until it exits. */
async function runMail(environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH ?? '', BASE_URL: 'http://127.0.0.1:1', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, lines: stderr.trimEnd().split('\n') }
}

describe('a single service', () => {
  it('reports in one line that its port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void blocker.close())
    await once(blocker, 'listening')
    const { port } = blocker.address() as AddressInfo
    const { code, lines } = await runMail({ PORT: String(port) })
    expect(code).toBe(3)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`port ${port} of 127.0.0.1 is in use`)
    expect(lines[0]).not.toContain('stack')
  })

  it('reports in one line that the port of SMTP is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void blocker.close())
    await once(blocker, 'listening')
    const { port } = blocker.address() as AddressInfo
    const { code, lines } = await runMail({ SMTP_PORT: String(port) })
    expect({ code, lines: lines.length }).toEqual({ code: 3, lines: 1 })
    expect(lines[0]).toContain(`port ${port} of 127.0.0.1 is in use`)
    expect(lines[0]).not.toContain('stack')
  })

  it.each([
    { LOG_LEVEL: 'loud' },
    { DATABASE_URL: 'mysql://me:hidden@127.0.0.1/x' },
    { DATABASE_URL: 'postgres' },
    { ALLOWED_HOSTS: 'testbed,http://x' },
  ])('exits with code 2 for %j, which it names', async (environment) => {
    const { code, lines } = await runMail(environment)
    expect({ code, lines: lines.length }).toEqual({ code: 2, lines: 1 })
    expect(lines[0]).toContain(`${Object.keys(environment)[0]}`)
    expect(lines[0]).not.toMatch(/stack|hidden/)
  })

  it.each(['70000', '1.5'])('exits with code 2 for the port %s', async (port) => {
    const { code, lines } = await runMail({ PORT: port })
    expect({ code, lines: lines.length }).toEqual({ code: 2, lines: 1 })
    expect(lines[0]).toContain('did not start: PORT is not a port number')
  })
})
