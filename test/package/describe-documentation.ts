import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createControlClient } from '#scenarios/harness/control-client.ts'
import { type InstalledPackage, runProgram } from '#test/support/installed-package.ts'
import { root } from '#test/support/repository.ts'
import { verdictsIn } from '#test/support/results.ts'
import { findDeadLinks } from './find-dead-links.ts'
import { startInTerminal } from './start-in-terminal.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/guides/use-in-your-project.md')

/** Blocks of a kind below a heading. */
const blocksOf = (text: string, kind: string, heading: string) => {
  const section = text.slice(text.indexOf(`\n## ${heading}\n`)).split('\n## ')[1] ?? ''
  return [...section.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, block = '']) => block,
  )
}

/** `npx lear-testbed up` in the project, on free ports in place of the usual ones; ends with the test. */
async function startTestbed(folder: string) {
  const { stdout } = startInTerminal('npx lear-testbed up --in-memory --port-base 0', {
    cwd: folder,
  })
  await once(stdout, 'data')
  return JSON.parse(readFileSync(join(folder, '.testbed/testbed.json'), 'utf8'))
}

/** Tests the commands of docs/guides/use-in-your-project.md and docs/guides/ci.md verbatim. */
export function describeDocumentation(installed: () => InstalledPackage): void {
  const runBlock = (block: string | undefined, env: Readonly<Record<string, string>> = {}) => {
    expect(block).toBeDefined()
    const { folder } = installed()
    return runProgram('sh', ['-eu', '-c', block ?? ''], { cwd: folder, env })
  }

  describe('docs/guides/use-in-your-project.md', () => {
    it('shows the files of a project that works', () => {
      const named = [...page.matchAll(/^`([\w./-]+\.ts)`[^\n]*:\n\n```ts\n(.*?)^```/gms)]
      expect(named).toHaveLength(4)
      for (const [, path = '', text = ''] of named) {
        const file = read(join('test/package/fixture', path))
        expect(file.slice(0, text.length)).toBe(text)
      }
      const [container = ''] = blocksOf(page, 'ts', 'Containers')
      const own = read('test/containers/example.ts')
      expect(container).toBe(
        own.replace('../../containers/testcontainers.ts', 'lear-testbed/testcontainers'),
      )
    })

    it('names only files that exist', () => {
      expect(findDeadLinks(join(root, 'docs/guides/use-in-your-project.md'))).toEqual([])
    })

    it('runs scenarios with the program and with vitest', { timeout: 240_000 }, async () => {
      const { folder } = installed()
      const { control } = await startTestbed(folder)
      const reports = join(folder, 'reports/scenarios')

      const program = await runBlock(blocksOf(page, 'sh', 'The command line')[0])
      expect(program).toMatchObject({ code: 0 })
      expect(program.stdout).toMatch(/^2 passed, 0 failed, 0 skipped/m)
      expect(readFileSync(join(reports, 'index.html'), 'utf8')).toContain('<html')

      const [alone, running] = blocksOf(page, 'sh', 'Suites in vitest')
      const environment = { TESTBED_FILE: '.testbed/testbed.json' }
      expect(await runBlock(alone, environment)).toMatchObject({ code: 0 })
      expect(verdictsIn(reports)).toEqual([
        'issuance/representative/ES256K passed',
        'issuance/representative/EdDSA not-run',
      ])
      expect(await runBlock(running)).toMatchObject({ code: 0 })

      const elsewhere = await runBlock(blocksOf(read('docs/guides/ci.md'), 'sh', 'Elsewhere')[0])
      expect(elsewhere).toMatchObject({ code: 0 })
      expect(verdictsIn(join(folder, 'reports'))).toHaveLength(1)
      expect(existsSync(join(folder, 'reports/junit.xml'))).toBe(true)

      // The tests of vitest ran at the testbed that they name, the program's at their own.
      const { signal } = new AbortController()
      const scenarioId = () => 'test'
      const client = createControlClient({ ...control, environment: 'pre', scenarioId, signal })
      const seen = (await client.readTraces(0)).flatMap(({ scenarioId = '' }) =>
        scenarioId.startsWith('issuance/representative/') ? scenarioId.split(':')[0] : [],
      )
      expect(new Set(seen).size).toBe(3)
    })

    it('starts a testbed, runs a suite and creates a wallet with the library', {
      timeout: 240_000,
    }, async () => {
      const { code, stdout } = await runBlock(blocksOf(page, 'sh', 'The library')[0])
      expect(code).toBe(0)
      const { did, verdicts } = JSON.parse(stdout)
      expect(did).toMatch(/^did:jwk:/)
      expect(verdicts).toEqual(['issuance/representative/EdDSA passed'])
    })
  })
}
