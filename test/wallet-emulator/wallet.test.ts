import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runNode } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const folder = join(import.meta.dirname, '../../wallet-emulator')
const examples = join(import.meta.dirname, 'examples')
const readme = readFileSync(join(folder, 'README.md'), 'utf8')
const entry = readFileSync(join(folder, 'wallet.ts'), 'utf8')

describe('README.md of the wallet', () => {
  it('contains exactly the examples that are tested', () => {
    const shown = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code)
    const run = readdirSync(examples).map((name) =>
      readFileSync(join(examples, name), 'utf8').replace(
        '#wallet-emulator/wallet.ts',
        'lear-testbed/wallet',
      ),
    )
    expect(shown.toSorted()).toEqual(run.toSorted())
  })

  it('names every existing folder', () => {
    const named = [...readme.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name]) => name)
    const there = readdirSync(folder, { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => name)
    expect(named.toSorted()).toEqual(there.toSorted())
  })
})

describe('the public entry', () => {
  const lists = entry.matchAll(/^export (type )?\{([^}]*)\} from '([^']+)'/gm)
  const exported = [...lists].flatMap(([, , names = '', file = '']) =>
    names
      .split(',')
      .map((name) => name.replace('type ', '').trim())
      .filter((name) => name !== '')
      .map((name) => ({ name, file })),
  )

  it('explains each name that it exports', () => {
    const unexplained = exported.filter(({ name, file }) => {
      const path = file.replace('#core/', '../core/')
      const declaration = `export (?:async )?(?:function|const|interface|type|class) ${name}\\b`
      return !new RegExp(`\\*/\\n${declaration}`).test(readFileSync(join(folder, path), 'utf8'))
    })
    expect(unexplained).toEqual([])
    expect(exported.length).toBeGreaterThan(60)
  })

  it('has no side effects when it is imported: no output, no global, no open handle', async () => {
    const file = join(createTemporaryFolder(), 'import.ts')
    writeFileSync(
      file,
      // zod keeps its configuration there.
      `const isOwn = (name: string) => !name.startsWith('__zod_')
const names = () => Object.getOwnPropertyNames(globalThis).filter(isOwn).sort().join()
const before = names()
await import(${JSON.stringify(join(folder, 'wallet.ts'))})
if (names() !== before || process.getActiveResourcesInfo().length > 0) process.exitCode = 3
`,
    )
    expect(await runNode([file])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })
})
