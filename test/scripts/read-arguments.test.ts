import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

it('prints the usage of a script with --help, and after wrong usage', () => {
  const run = (option: string) =>
    spawnSync(process.execPath, ['scripts/check-prose.ts', option], { cwd: root, encoding: 'utf8' })
  const { status, stdout } = run('--help')
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^node scripts\/check-prose.ts .*\n\n/),
  ])
  const wrong = run('--unknown')
  expect([wrong.status, wrong.stdout]).toEqual([2, ''])
  expect(wrong.stderr).toContain(stdout)
})
