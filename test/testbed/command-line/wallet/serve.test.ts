import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const program = resolve(import.meta.dirname, '../../../../bin/testbed')

describe('testbed wallet serve', () => {
  it('prints its address, answers there, and frees the port when it is interrupted', async () => {
    const child = spawn(process.execPath, [program, 'wallet', 'serve', '--curve', 'Ed25519'], {
      cwd: createTemporaryFolder(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    const [address] = await once(createInterface(child.stdout), 'line')
    const response = await fetch(`${address}/list`)
    expect(await response.json()).toMatchObject({ algorithm: 'EdDSA', credentials: [] })
    child.kill('SIGINT')
    expect(await exited).toEqual([130, null])
    const socket = createConnection(Number(new URL(String(address)).port), '127.0.0.1')
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  })

  it.each([
    ['a port that is none', ['--port', 'x']],
    ['a deviation that is none', ['--fault', 'no-such-fault']],
    ['every address of the machine without a token', ['--bind', '0.0.0.0']],
  ])('exits 2 for %s', async (_, options) => {
    const { exitCode, stderr } = await runCommand(['wallet', 'serve', ...options], {
      cwd: createTemporaryFolder(),
    })
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 })
  })
})
