import { execFileSync, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { prepareChild, startChild } from '#testbed/process/start-child.ts'

const module = join(import.meta.dirname, 'fixture/serving-child')
const options = {
  module,
  argument: 'a port',
  failureCode: 'child_failed',
  name: 'The child',
  hints: [],
}

const groupOf = (pid: number) =>
  execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).trim()

describe('startChild', () => {
  it('starts it outside the process group to which a terminal sends Ctrl-C', async () => {
    const child = await startChild<never, unknown>(options)
    expect(child.ready).toEqual({ pid: child.pid, argument: 'a port' })
    expect(groupOf(child.pid)).not.toBe(groupOf(process.pid))
    await child.close()
    expect(await child.ended).toBeUndefined()
  })

  it('uses a prepared process once, unless it has ended', async () => {
    const { execPath } = process
    onTestFinished(() => {
      process.execPath = execPath
    })
    prepareChild(module)
    process.execPath = '/nowhere/node'
    prepareChild(module)
    const child = await startChild<never, unknown>(options)
    expect(child.ready).toEqual({ pid: child.pid, argument: 'a port' })
    process.execPath = execPath
    const other = await startChild<never, unknown>(options)
    expect(other.pid).not.toBe(child.pid)
    await Promise.all([child.close(), other.close()])
  })

  it('does not use a prepared process that has been given back', async () => {
    const { execPath } = process
    onTestFinished(() => {
      process.execPath = execPath
    })
    prepareChild(module)()
    process.execPath = '/nowhere/node'
    await expect(startChild(options)).rejects.toMatchObject({ code: 'child_failed' })
  })

  it('leaves no process that hangs when this one exits', async () => {
    const program = `
      import { startChild } from '#testbed/process/start-child.ts'
      const { pid } = await startChild(${JSON.stringify(options)})
      process.kill(pid, 'SIGSTOP')
      process.stdout.write(String(pid), () => process.exit(0))
    `
    // The child inherits stderr: if it were a pipe, this call would wait for the child.
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(status).toBe(0)
    const pid = Number(stdout.toString())
    // Process 0 would be this process's own group.
    expect(pid).toBeGreaterThan(0)
    onTestFinished(() => void spawnSync('kill', ['-KILL', String(pid)]))
    // The system may not have removed an ended process yet.
    const state = () => spawnSync('ps', ['-o', 'stat=', '-p', String(pid)]).stdout.toString()
    await expect.poll(state).toMatch(/^(Z.*)?$/)
  })

  it('reports a process that cannot start', async () => {
    const { execPath } = process
    onTestFinished(() => {
      process.execPath = execPath
    })
    process.execPath = '/nowhere/node'
    await expect(startChild(options)).rejects.toMatchObject({ code: 'child_failed' })
    // Nothing is left to end with this process.
    const names = () => process.listeners('exit').map(({ name }) => name)
    await expect.poll(names).not.toContain('killRunning')
  })
})

describe('serveParent', () => {
  it('ends if the parent ended before it started', async () => {
    const child = fork(`${module}.ts`, ['late'], { execArgv: [] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    child.disconnect()
    expect(await exited).toEqual([0, null])
  })
})
