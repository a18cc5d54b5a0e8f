import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareTemporaryFolder } from '#test/support/temporary-folder.ts'
import {
  findArchitectureViolations,
  findImportCycles,
} from '../../scripts/checks/find-architecture-violations.ts'
import { readModule } from '../../scripts/checks/read-module.ts'

const modules: Readonly<Record<string, string>> = {
  'core/a.ts': `import type { B } from './b.ts'`,
  'core/b.ts': `export type B = import('./c.ts').C`,
  'core/c.ts': `export { A } from './a.ts'`,
  'core/leaf.ts': `import 'node:crypto'`,
  'test/one.test.ts': `import '#testbed/two.ts'\nimport './gone.ts'`,
  'testbed/two.ts': `await import('#test/one.test.ts')`,
  'testbed/three.ts': `import './two.ts'\nimport '#core/leaf.ts'`,
}

describe('findImportCycles', () => {
  const root = shareTemporaryFolder()
  beforeAll(async () => {
    for (const [file, text] of Object.entries(modules)) {
      await mkdir(join(root, dirname(file)), { recursive: true })
      await writeFile(join(root, file), text)
    }
  })

  it('names each cycle, also one of types only or by # names', () => {
    expect(findImportCycles(root)).toEqual([
      ['core/a.ts', 'core/b.ts', 'core/c.ts'],
      ['test/one.test.ts', 'testbed/two.ts'],
    ])
  })
})

it('reads what a module imports and exports, and counts its lines of code', () => {
  const module = readModule(`
import { type Log, log as print } from './log.ts'
import * as all from '#core/all.ts'

/** A comment
 * of two lines. */
export const one = 1 // one
export interface Two {
  readonly two: 2
}
const three = async () => import('./three.ts')
export { four } from './four.ts'
type Five = import('./five.ts').Five
`)
  expect(module.imports).toEqual([
    { specifier: './log.ts', names: ['Log', 'log'] },
    { specifier: '#core/all.ts', names: ['*'] },
    { specifier: './three.ts', names: ['*'] },
    { specifier: './four.ts', names: ['four'] },
    { specifier: './five.ts', names: ['*'] },
  ])
  expect(module.exports).toEqual([
    { name: 'one', isType: false },
    { name: 'Two', isType: true },
  ])
  expect(module.codeLines).toBe(7)
})

/** A small tree: each file with the problem that it must be reported for, or none. */
const tree: readonly { file: string; text: string; problem?: RegExp }[] = [
  // The arrows.
  { file: 'core/a.ts', text: `import { b } from './b/c.ts'\nexport { b }` },
  { file: 'core/up.ts', text: `import '#kit/clock.ts'`, problem: /core imports services\/kit/ },
  {
    file: 'core/relative.ts',
    text: `import '../services/kit/clock.ts'`,
    problem: /core imports services\/kit/,
  },
  { file: 'services/kit/runtime.ts', text: `import '#core/a.ts'` },
  {
    file: 'services/kit/up.ts',
    text: `export * from '#services/issuer/main.ts'`,
    problem: /services\/kit imports services\/issuer/,
  },
  { file: 'services/issuer/routes/app.ts', text: `import '#kit/clock.ts'\nimport '#core/a.ts'` },
  {
    file: 'services/issuer/routes/sideways.ts',
    text: `import '#services/idp/app.ts'`,
    problem: /services\/issuer imports services\/idp/,
  },
  {
    file: 'services/issuer/routes/lazily.ts',
    text: `export const load = () => import('../../idp/app.ts')`,
    problem: /services\/issuer imports services\/idp/,
  },
  {
    file: 'services/issuer/routes/by-type.ts',
    text: `export type App = import('#services/idp/app.ts').App`,
    problem: /services\/issuer imports services\/idp/,
  },
  {
    file: 'services/issuer/routes/dotted.ts',
    text: `import '../../kit/clock.ts'`,
    problem: /leaves services\/issuer/,
  },
  { file: 'testbed/chain/node.ts', text: `import '#testbed/process/clock.ts'\nimport './pool.ts'` },
  {
    file: 'testbed/chain/relative.ts',
    text: `import '../process/clock.ts'`,
    problem: /imports \.\.\/process\/clock\.ts/,
  },
  {
    file: 'core/did/own-folder.ts',
    text: `import '#core/did/did-org.ts'`,
    problem: /imports #core\/did\/did-org\.ts/,
  },
  { file: 'wallet-emulator/a.ts', text: `import '#core/a.ts'` },
  {
    file: 'wallet-emulator/kit.ts',
    text: `import '#kit/clock.ts'`,
    problem: /wallet-emulator imports services\/kit/,
  },
  { file: 'scenarios/a.ts', text: `import '#wallet-emulator/a.ts'` },
  {
    file: 'scenarios/testbed.ts',
    text: `import type { T } from '#testbed/a.ts'\nexport type U = T`,
    problem: /scenarios imports testbed/,
  },
  {
    file: 'testbed/services/a.ts',
    text: `import '#scenarios/a.ts'\nimport '#services/idp/app.ts'\nimport '#kit/clock.ts'`,
  },
  {
    file: 'testbed/services/test.ts',
    text: `import '#test/support/x.ts'`,
    problem: /testbed imports test/,
  },

  // No input or output in core and domain folders.
  { file: 'core/hash.ts', text: `import 'node:crypto'\nexport const date = new Date(0)` },
  { file: 'core/read.ts', text: `import 'node:fs'`, problem: /imports node:fs/ },
  { file: 'core/http.ts', text: `import 'express'`, problem: /imports express/ },
  { file: 'core/get.ts', text: `export const get = () => fetch('x')`, problem: /uses fetch/ },
  { file: 'core/given.ts', text: `export const get = (fetch: () => void) => fetch()` },
  { file: 'core/now.ts', text: `export const now = () => Date.now()`, problem: /uses Date\.now/ },
  { file: 'core/date.ts', text: `export const now = () => new Date()`, problem: /uses new Date/ },
  { file: 'core/say.ts', text: `console.log('x')`, problem: /uses console/ },
  { file: 'core/env.ts', text: `export const e = process.env.X`, problem: /uses process/ },
  {
    file: 'services/issuer/domain/rule.ts',
    text: `export const now = () => Date.now()`,
    problem: /uses Date\.now/,
  },
  { file: 'services/issuer/adapters/rule-store.ts', text: `export const now = () => Date.now()` },
  {
    file: 'core/words.ts',
    text: `/** Never console.log, nor fetch('x'). */\nexport const p = 'process.env'`,
  },

  // The layers of the testbed.
  { file: 'testbed/console/down.ts', text: `import '#testbed/chain/node.ts'` },
  {
    file: 'testbed/control/up.ts',
    text: `import '#testbed/console/page.ts'`,
    problem: /imports a layer above its own/,
  },
  {
    file: 'testbed/library/run.ts',
    text: `import type { A } from '../command-line/main.ts'`,
    problem: /imports a layer above its own/,
  },
  { file: 'testbed/loose.ts', text: 'export const a = 1', problem: /is in no layer/ },

  // No state in the modules of core.
  { file: 'core/map.ts', text: 'const known = new Map()', problem: /module-level Map/ },
  { file: 'core/weak.ts', text: 'const known = new WeakMap([])', problem: /module-level WeakMap/ },
  { file: 'core/let.ts', text: 'export let count = 0', problem: /module-level variable/ },
  {
    file: 'core/written.ts',
    text: `const seen = new Set(['a'])\nexport const see = (b: string) => seen.add(b)`,
    problem: /module-level Set/,
  },
  {
    file: 'core/read-only.ts',
    text: `const names = new Set(['a'])\nexport const has = (b: string) => names.has(b)`,
  },
  {
    file: 'core/own.ts',
    text: 'export function create() {\n  let n = 0\n  return [new Map(), () => n++]\n}',
  },
  { file: 'services/issuer/domain/known.ts', text: 'const known = new Map()' },

  // The one shape of services.
  { file: 'services/api-keys/create-api-keys-service.ts', text: '' },
  { file: 'services/api-keys/operations/answer.ts', text: '' },
  { file: 'services/api-keys/tables.ts', text: '' },
  {
    file: 'services/api-keys/helpers/answer.ts',
    text: '',
    problem: /helpers is not a part of a service/,
  },
  {
    file: 'services/api-keys/create-session-service.ts',
    text: '',
    problem: /create-session-service\.ts is not a part of a service/,
  },
  {
    file: 'services/api-keys/adapters/create-lookups.ts',
    text: '',
    problem: /the name of an adapter ends in/,
  },

  // The layers of a service.
  { file: 'services/tir/routes/down.ts', text: `import '../operations/a.ts'\nimport 'express'` },
  {
    file: 'services/tir/operations/up.ts',
    text: `import type { A } from '../routes/a.ts'\nexport type B = A`,
    problem: /operations imports routes/,
  },
  {
    file: 'services/tir/domain/up.ts',
    text: `import '../adapters/a-store.ts'`,
    problem: /domain imports adapters/,
  },
  {
    file: 'services/tir/operations/http.ts',
    text: `import type { Response } from 'express'\nexport type A = Response`,
    problem: /operations imports express/,
  },
  {
    file: 'services/tir/operations/route.ts',
    text: `import '#kit/define-route.ts'`,
    problem: /operations imports #kit\/define-route\.ts/,
  },
  {
    file: 'services/tir/routes/query.ts',
    text: `import 'kysely'`,
    problem: /routes imports kysely/,
  },

  // The environment.
  { file: 'services/issuer/main.ts', text: `export const e = process.env` },
  { file: 'testbed/command-line/commands/run.ts', text: `export const e = process.env` },
  { file: 'testbed/services/child.ts', text: `export const env = { ...process.env, A: '1' }` },
  {
    file: 'services/issuer/config.ts',
    text: `export const e = process.env.X`,
    problem: /reads process\.env/,
  },
]

describe('findArchitectureViolations', () => {
  const root = shareTemporaryFolder()
  beforeAll(async () => {
    for (const { file, text } of tree) {
      await mkdir(join(root, dirname(file)), { recursive: true })
      await writeFile(join(root, file), `${text}\n`)
    }
  })

  it.each(tree)('$file', ({ file, problem }) => {
    const found = findArchitectureViolations(root).filter((violation) => violation.file === file)
    if (problem === undefined) expect(found).toEqual([])
    else {
      expect(found.map((violation) => violation.problem)).toEqual([expect.stringMatching(problem)])
      expect(found[0]?.line).toBe(1)
      expect(found[0]?.advice).not.toBe('')
    }
  })
})
