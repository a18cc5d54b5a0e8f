import { execFile } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import { runProgram } from '#test/support/installed-package.ts'
import { root } from '#test/support/repository.ts'
import { spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const path = [dirname(process.execPath), process.env.PATH].join(delimiter)

/** The shell blocks of a page, with the program of this repository; `…` marks what readers fill in. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .map(([, block = '']) => block.replaceAll('npx lear-testbed', 'bin/testbed'))
    .filter((block) => !block.includes('…'))
}

const demoPage = readFileSync(join(root, 'docs/guides/demo.md'), 'utf8')

const runShell = (script: string, cwd: string) =>
  runProgram('sh', ['-eu', '-c', script], { cwd, env: { PATH: path } })

function createFolder(): string {
  const folder = createTemporaryFolder()
  symlinkSync(join(root, 'bin'), join(folder, 'bin'))
  return folder
}

describe('the guides for IDPs and registries', () => {
  it.each(
    ['guides/test-my-idp.md', 'guides/test-my-registry.md'].flatMap((page) =>
      blocksOf(page).map((block) => ({ page, block })),
    ),
  )('$page: $block', async ({ block }) => {
    expect(await runShell(block, createFolder())).toMatchObject({ code: 0 })
  })
})

describe('the pages about a running testbed', () => {
  it('have commands that work, from the offer to a restart', { timeout: 240_000 }, async ({
    skip,
  }) => {
    const programs = (process.env.PATH ?? '').split(delimiter)
    if (!programs.some((each) => existsSync(join(each, 'curl')))) skip('curl is not installed here')
    const folder = createFolder()
    const { healthy, child, ended } = spawnTestbed(join(folder, '.testbed'))
    const { environments } = await healthy

    const [start, ...demo] = blocksOf('guides/demo.md').filter(
      // A second start is for phones.
      (block) => !block.includes('--bind'),
    )
    expect(start).toBe('npm start\n')
    const reset = demo.pop() ?? ''
    expect(reset).toBe('bin/testbed reset\n')
    const pages = [
      'reference/control-interface.md',
      'concepts/trust-chain.md',
      'concepts/journeys.md',
    ]
    const isRevocation = (block: string) => block.startsWith('bin/testbed revoke')
    const script = [
      ...demo.filter((block) => !isRevocation(block)),
      ...pages.flatMap(blocksOf),
    ].join('\n')
    const shown = await runShell(script, folder)
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.stdout).toContain('Almenara Logistics')

    // In the browser: open the printed address, and copy the button's link.
    const { redirectUri = '' } = environments.pre?.oidcClient ?? {}
    const browser = createHttpBrowser([redirectUri])
    const address = shown.stdout.match(/^http\S+\/accounts\/authorize\S+$/m)?.[0] ?? ''
    const page = await browser.get(address)
    expect(page.text).toContain('Open the wallet on this device')
    const link = page.text.match(/href="(openid4vp:[^"]+)"/)?.[1]?.replaceAll('&amp;', '&')
    const present = demoPage.match(/^bin\/testbed wallet present 'openid4vp:\/\/…'$/m)?.[0] ?? ''
    const consent = `echo y | ${present.replace('openid4vp://…', link ?? '')}`
    const presented = await runShell(consent, folder)
    expect(presented).toMatchObject({ code: 0 })
    const next = presented.stdout.trimEnd().split('\n').at(-1) ?? ''
    expect((await browser.get(next)).url).toMatch(/\/callback\/pre\/relying-party\?code=/)
    const revoked = await runShell(demo.find(isRevocation) ?? '', folder)
    expect(revoked).toMatchObject({ code: 0, stdout: expect.stringContaining('Revoked urn:uuid:') })

    child.kill('SIGTERM')
    await ended
    expect(await runShell('bin/testbed reset --yes', folder)).toMatchObject({ code: 0 })
  })
})

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

const readme = readFileSync(join(root, 'README.md'), 'utf8')

describe('README.md', () => {
  it('shows commands that work', { timeout: 180_000 }, async () => {
    const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block)
    expect(blocks.length).toBeGreaterThan(1)
    const folder = createTemporaryFolder()
    symlinkSync(join(root, 'bin'), join(folder, 'bin'))
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
    const outcome = await runProgram('sh', ['-eu', '-c', blocks.join('')], {
      cwd: folder,
      env: { PATH: path },
    })
    expect(outcome).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, 'my-issuer.yaml'))).toBe(true)
    expect(existsSync(join(folder, 'reports/index.html'))).toBe(true)
  })

  it('names only files and folders that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path)
    const folders = [...readme.matchAll(/^\| `([\w/-]+)` \|/gm)].map(([, path = '']) => path)
    expect(links.length + folders.length).toBeGreaterThan(10)
    expect([...links, ...folders].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('has at most 120 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  })
})
