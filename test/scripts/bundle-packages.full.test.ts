import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runProgram } from '#test/support/installed-package.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const cwd = join(import.meta.dirname, '../..')

/** Returns the value of an expression, evaluated like a module of the program. */
async function evaluate(expression: string, args: readonly string[] = []): Promise<unknown> {
  const script = `console.log(JSON.stringify(${expression}))`
  const module = ['--input-type=module', '--eval', script]
  const { stdout, stderr } = await runProgram(process.execPath, [...args, ...module], { cwd })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const namesOf = (url: string) =>
  `Object.keys(await import('${url}')).filter((name) => name !== 'module.exports')`

describe('bundled packages', () => {
  it('export what their packages export, and come with their licences', async () => {
    const folder = createTemporaryFolder()
    const program = join(cwd, 'scripts/package/bundle-packages.mjs')
    expect(await runProgram(process.execPath, [program, folder], { cwd })).toMatchObject({
      code: 0,
    })
    const bundles = readdirSync(folder).filter(
      (file) => file.endsWith('.mjs') && !/-[A-Z\d]{8}\.mjs$/.test(file),
    )
    expect(bundles.length).toBeGreaterThan(20)
    const pairs = bundles.map((file) => {
      const bundle = pathToFileURL(join(folder, file)).href
      const specifier = file.replaceAll('+', '/').replace(/\.mjs$/, '')
      return `['${specifier}', ${namesOf(bundle)}, ${namesOf(specifier)}]`
    })
    for (const [name, bundled, own] of (await evaluate(`[${pairs}]`)) as string[][]) {
      expect(bundled, name).toEqual(own)
    }
    const licences = readFileSync(join(folder, 'LICENSES.txt'), 'utf8')
    expect(licences).toContain('Copyright (c) 2025 Colin McDonnell')
  })

  it('are loaded by the program instead of the packages', async () => {
    const resolved = await evaluate(
      `['kysely', 'zod', 'pg'].map((name) => import.meta.resolve(name))`,
      ['--import', './scripts/bootstrap/resolve-quickly.mjs'],
    )
    expect(resolved).toEqual([
      expect.stringMatching(/node_modules\/\.bundles\/kysely\.mjs$/),
      expect.stringMatching(/node_modules\/\.bundles\/zod\.mjs$/),
      expect.stringMatching(/node_modules\/pg\//),
    ])
  })

  it('are also what the program requires', async () => {
    const loaded = await evaluate(
      `((require) => [
        typeof require('undici/lib/dispatcher/agent.js'),
        typeof require('@prometheus-io/client/lib/counter.js'),
        typeof require('smtp-server').SMTPServer,
        Object.keys(require.cache).filter((path) => !path.includes('.bundles')),
      ])(process.getBuiltinModule('node:module').createRequire(import.meta.url))`,
      ['--import', './scripts/bootstrap/resolve-quickly.mjs'],
    )
    expect(loaded).toEqual(['function', 'function', 'function', []])
  })
})
