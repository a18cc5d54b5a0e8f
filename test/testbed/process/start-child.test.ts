import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startChild } from '#testbed/process/start-child.ts'

const module = join(import.meta.dirname, 'fixture/serving-child')
const options = { module, argument: {}, failureCode: 'child_failed', name: 'The child', hints: [] }

const groupOf = (pid: number) =>
  execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).trim()

describe('startChild', () => {
  it('starts it outside the process group to which a terminal sends Ctrl-C', async () => {
    const child = await startChild<never, number>(options)
    expect(child.ready).toBe(child.pid)
    expect(groupOf(child.pid)).not.toBe(groupOf(process.pid))
    await child.close()
    expect(await child.ended).toBeUndefined()
  })

  it('reports a process that cannot start', async () => {
    const { execPath } = process
    onTestFinished(() => {
      process.execPath = execPath
    })
    process.execPath = '/nowhere/node'
    await expect(startChild(options)).rejects.toMatchObject({ code: 'child_failed' })
  })
})

describe('serveParent', () => {
  it('ends if the parent ended before it started', async () => {
    const child = fork(`${module}.ts`, [JSON.stringify({ isLate: true })], { execArgv: [] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    child.disconnect()
    expect(await exited).toEqual([0, null])
  })
})
