import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '#test/support/processes.ts'
import { openTestbedForTest } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

describe('testbed reset', () => {
  it('makes a data folder usable again that no longer starts, and keeps other files', async () => {
    const cwd = createTemporaryFolder()
    const folder = join(cwd, '.testbed')
    const reset = (...args: string[]) => runCommand(['reset', ...args], { cwd })
    const first = await openTestbedForTest({ dataFolder: folder })
    const before = first.pre.trustChain

    const busy = await reset('--yes')
    expect(busy).toMatchObject({ exitCode: 1, stdout: '' })
    expect(busy.stderr).toContain(`process ${process.pid}`)
    await first.testbed.close()

    expect(await runCommand(['wallet', 'create'], { cwd })).toMatchObject({ exitCode: 0 })
    for (const path of ['pre/mine', 'runs', 'targets']) mkdirSync(join(folder, path))
    for (const file of ['notes.txt', 'pre/app.sqlite']) writeFileSync(join(folder, file), '')
    rmSync(join(folder, 'secrets.json'))

    const unconfirmed = await reset()
    expect(unconfirmed).toMatchObject({ exitCode: 2, stdout: '' })
    expect(unconfirmed.stderr).toContain('pre/chain.journal')
    expect(unconfirmed.stderr).toContain('--yes')
    expect(existsSync(join(folder, 'pre/chain.journal'))).toBe(true)

    const { exitCode, stdout } = await reset('--yes', '--json')
    expect(exitCode).toBe(0)
    const { removed, kept } = JSON.parse(stdout)
    expect(removed).toContain('pre/idp.sqlite')
    const others = ['notes.txt', 'pre/app.sqlite', 'pre/mine', 'runs', 'targets']
    expect(kept).toEqual(['wallets/default', ...others])
    const left = readdirSync(folder, { recursive: true })
      .map(String)
      .filter((path) => !path.startsWith('wallets/default/'))
    expect(left.toSorted()).toEqual([
      'notes.txt',
      'pre',
      'pre/app.sqlite',
      'pre/mine',
      'runs',
      'targets',
      'wallets',
      'wallets/default',
    ])

    const second = await openTestbedForTest({ dataFolder: folder })
    expect(second.pre.trustChain).not.toEqual(before)
    await second.testbed.close()
    // reset knows every file of a testbed that ran.
    const last = await reset('--yes', '--wallets')
    expect(last).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('wallets/default') })
    expect(last.stderr).not.toContain('wallets/default')
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([
      'notes.txt',
      'pre',
      'pre/app.sqlite',
      'pre/mine',
      'runs',
      'targets',
    ])
  })

  it('follows a link to the data folder, but none in it', async () => {
    const [cwd, foreign] = [createTemporaryFolder(), createTemporaryFolder()]
    mkdirSync(join(cwd, 'kept'))
    for (const path of [join(cwd, 'kept/mail.sqlite'), join(foreign, 'idp.sqlite')]) {
      writeFileSync(path, '')
    }
    symlinkSync(foreign, join(cwd, 'kept/pre'))
    symlinkSync('kept', join(cwd, '.testbed'))
    const { stdout } = await runCommand(['reset', '--yes'], { cwd })
    expect(stdout).toBe('mail.sqlite\n')
    expect(readdirSync(foreign)).toEqual(['idp.sqlite'])
  })

  it('has nothing to delete if there is no data folder', async () => {
    const cwd = createTemporaryFolder()
    expect(await runCommand(['reset'], { cwd })).toMatchObject({ exitCode: 0, stdout: '' })
    expect(readdirSync(cwd)).toEqual([])
  })
})
