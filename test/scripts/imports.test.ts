import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareTemporaryFolder } from '#test/support/temporary-folder.ts'
import { findImportCycles } from '../../scripts/checks/find-architecture-violations.ts'
import { readModule } from '../../scripts/checks/read-module.ts'

const tree: Readonly<Record<string, string>> = {
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
    for (const [file, text] of Object.entries(tree)) {
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
