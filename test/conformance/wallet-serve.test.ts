import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '#test/support/processes.ts'
import { findFreePorts } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/guides/wallet-over-http.md'), 'utf8')
const program = `"${process.execPath}" "${join(root, 'testbed/command-line/main.ts')}"`

it('passes over HTTP what it is asked about issuers, with the target of the documentation', async () => {
  const folder = createTemporaryFolder()
  const [, example = ''] = /^```yaml\n(.*?)^```/ms.exec(page) ?? []
  const target = example
    .replaceAll('4100', String((await findFreePorts(1))[0]))
    .replace('npx lear-testbed', program)
  writeFileSync(join(folder, 'target.yaml'), target)
  const checks = '^W(01|20|21|22|68|70)$'
  const args = ['conformance', 'wallet', checks, '--target', 'target.yaml', '--json']
  const { stdout, stderr } = await runCommand(args, { cwd: folder })
  const { scenarios } = JSON.parse(stdout || '{}')
  expect({ scenarios, stderr }).toHaveProperty('scenarios')
  const verdicts = scenarios.map(({ name, verdict }: Record<string, string>) => [
    name?.slice(0, 3),
    verdict,
  ])
  expect(verdicts).toEqual(['W01', 'W20', 'W21', 'W22', 'W68', 'W70'].map((id) => [id, 'passed']))
})

it.each([
  [
    'a TIR without its root',
    ['--did-registry', 'http://127.0.0.1:9', '--tir', 'http://127.0.0.1:9'],
  ],
  ['a root without its TIR', ['--root-did', 'did:org:uc-pre:z1']],
  ['a time that is none', ['--wait', 'long']],
])('is not started with %s', async (_what, args) => {
  const { exitCode } = await runCommand(['wallet', 'serve', ...args], {
    cwd: createTemporaryFolder(),
  })
  expect(exitCode).toBe(2)
})
