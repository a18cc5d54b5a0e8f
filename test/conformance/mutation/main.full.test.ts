import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { runNode } from '#test/support/processes.ts'

const main = resolve(import.meta.dirname, 'main.ts')

it('runs several plans whose mutants change the same code', async () => {
  const { exitCode, stdout } = await runNode([main, '--only', '^(O27|T42)-', '--json'])
  const outcomes: Record<string, { mutants: { own: { kind: string } }[] }> = JSON.parse(stdout)
  const kinds = Object.entries(outcomes).map(([plan, { mutants }]) => [
    plan,
    mutants.map(({ own }) => own.kind),
  ])
  expect(kinds).toEqual([
    ['idp', ['broken']],
    ['tir', ['broken']],
  ])
  expect(exitCode).toBe(0)
})

it.each([
  ['an unknown plan', ['walet']],
  ['a pattern that matches no mutant', ['--only', '^X99']],
  ['an invalid pattern', ['--only', '(']],
])('exits with code 2 for %s', async (_what, args) => {
  expect(await runNode([main, ...args])).toMatchObject({ exitCode: 2, stdout: '' })
})
