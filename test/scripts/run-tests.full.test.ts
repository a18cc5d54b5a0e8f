import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const script = join(import.meta.dirname, '../../scripts/run-tests.ts')

// The tests in these fixtures use vitest's globals: there is no node_modules near them.
const files = {
  'passing.test.js': `it('passes', () => expect(1).toBe(1))\nit('passes too', () => {})`,
  'failing.test.js': `it('fails', () => expect(1).toBe(2))`,
  'skipped.test.js': `it('is skipped', ({ skip }) => skip('there is no engine here'))`,
  'unexplained.test.js': `it.skip('is skipped', () => {})`,
  'unloadable.test.js': `import './absent.js'`,
  'hook.test.js': `beforeAll(() => { throw new Error('no') })\nit('never runs', () => {})`,
}

describe('run-tests', () => {
  const run = (...names: string[]) => {
    const folder = createTemporaryFolder()
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const args = [script, '--root', folder, '--globals', ...names]
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    const lines = stdout.trimEnd().split('\n')
    return { lines, last: lines.at(-1), status }
  }

  it('counts the passed tests, and exits with code 0', () => {
    expect(run('passing')).toMatchObject({ last: '2 passed, 0 failed, 0 skipped', status: 0 })
  })

  it('names a test that failed and its file, and exits with code 1', () => {
    const { lines, last, status } = run('passing', 'failing')
    expect({ last, status }).toEqual({ last: '2 passed, 1 failed, 0 skipped', status: 1 })
    expect(lines).toContain(
      'failed: failing.test.js > fails: expected 1 to be 2 // Object.is equality',
    )
  })

  it('prints why a test was skipped', () => {
    const { lines, last, status } = run('passing', 'skipped')
    expect({ last, status }).toEqual({ last: '2 passed, 0 failed, 1 skipped', status: 0 })
    expect(lines).toContain('skipped: is skipped: there is no engine here')
  })

  it.each([
    ['a skip without a reason', 'unexplained', '0 passed, 1 failed, 0 skipped'],
    ['a file that cannot be loaded', 'unloadable', '0 passed, 1 failed, 0 skipped'],
    ['no test at all', 'nothing-of-that-name', '0 passed, 1 failed, 0 skipped'],
  ])('treats %s as a failure', (_, name, last) => {
    expect(run(name)).toMatchObject({ last, status: 1 })
  })

  it('counts tests that a failed hook prevented as failures', () => {
    expect(run('hook')).toMatchObject({ last: '0 passed, 2 failed, 0 skipped', status: 1 })
  })
})
