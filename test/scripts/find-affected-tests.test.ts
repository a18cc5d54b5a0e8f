import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '#test/support/repository.ts'
import { slowTests } from '#test/support/slow-tests.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { findAffectedTests } from '../../scripts/checks/find-affected-tests.ts'

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')

describe('findAffectedTests', () => {
  it.each([
    ['an import', 'core/did/a.ts', "import { a } from '#core/did/a.ts'", 1],
    ['a relative import', 'core/did/a.ts', "import { a } from '../../core/did/a.ts'", 1],
    ['a program that it starts', 'testbed/main.ts', "spawn(join(root, 'testbed/main.ts'))", 1],
    ['a folder whose modules are loaded', 'scenarios/suites/a.ts', "load('scenarios/suites')", 1],
    ['modules named by a template', 'core/did/a.ts', `import(\`#core/did/\${name}.ts\`)`, 1],
    ['a document', 'README.md', "readFileSync('README.md')", 1],
    ['itself', 'test/x/one.test.ts', '', 0],
  ])('finds a test by %s', (_what, changed, text, distance) => {
    const folder = createTemporaryFolder()
    const write = (file: string, content: string) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), content)
    }
    write(changed, '')
    write('test/x/one.test.ts', text)
    write('test/x/other.test.ts', "import type { A } from '#core/did/a.ts'")
    const files = [changed, 'test/x/one.test.ts', 'test/x/other.test.ts']
    expect(findAffectedTests(folder, files, [changed])).toEqual([
      { file: 'test/x/one.test.ts', distance },
    ])
  })

  it('finds the tests that start the command line as a process, before more distant ones', () => {
    const found = findAffectedTests(root, tracked, ['testbed/command-line/commands/run.ts'])
    const files = found.map(({ file }) => file)
    const run = files.indexOf('test/testbed/command-line/commands/run.test.ts')
    const chain = files.indexOf('test/testbed/chain/journal.test.ts')
    expect(run).toBeGreaterThanOrEqual(0)
    expect(chain).toBeGreaterThan(run)
  })
})

it('returns the durations of existing files', () => {
  expect(Object.keys(slowTests).filter((file) => !tracked.includes(file))).toEqual([])
})
