import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { zResults } from '#scenarios/harness/z-results.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const document = readFileSync(join(root, 'docs/guides/conformance-results.md'), 'utf8')
const blocks = [...document.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) =>
  block.replaceAll('npx lear-testbed', 'testbed'),
)

describe('docs/guides/conformance-results.md', () => {
  it('has commands that work', async ({ skip }) => {
    const cwd = createTemporaryFolder()
    const path = [join(root, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
    const env = { ...process.env, PATH: path, GITHUB_ACTIONS: '', NO_COLOR: '1' }
    const run = (script: string) => promisify(execFile)('sh', ['-eu', '-c', script], { cwd, env })
    await run('command -v openssl sha256sum').catch(() => skip('openssl is not installed here'))

    const [make = '', list = '', verify = '', digest = '', merge = '', verifyMerged = ''] = blocks
    expect((await run(make)).stdout).toContain('2 PASS')
    const json = await readFile(join(cwd, 'result/results.json'), 'utf8')
    const results = zResults.parse(JSON.parse(json))
    if (existsSync(join(root, '.git'))) {
      expect(results.conformance?.commit).toMatch(/^[0-9a-f]{40}$/)
    }
    const listed = await run(list).catch(() => undefined)
    if (listed !== undefined) {
      expect(listed.stdout.split('\n')[0]).toBe(
        ['D01', 'passed', results.scenarios[0]?.check?.reason].join('\t'),
      )
    }
    const output = (await run(verify)).stdout
    expect(output).toContain('signed-result.verdicts')
    expect(output).toContain('Every rule passes')
    const [sum = ''] = (await run(digest)).stdout.split(' ')
    const [, payload = ''] = (await readFile(join(cwd, 'result/result.jws'), 'utf8')).split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).results_sha256).toBe(sum)

    await run(merge)
    const statement = await readFile(join(cwd, 'statement/statement.md'), 'utf8')
    expect(statement).toContain('**Acme registry 2.1** (Acme) was tested')
    expect(statement).toContain('| did-registry (part) |')
    const merged = (await run(verifyMerged)).stdout
    expect(merged).toContain('3 PASS')
    expect(merged).toContain('Every rule passes')

    const other = `openssl genpkey -algorithm ed25519 | openssl pkey -pubout -out other.pem`
    await run(other)
    await expect(run(verify.replace('operator-public', 'other'))).rejects.toMatchObject({ code: 1 })
    await expect(run(`${verify.trim()} < /dev/null --key operator.pem`)).rejects.toMatchObject({
      code: 2,
    })
  })
})
