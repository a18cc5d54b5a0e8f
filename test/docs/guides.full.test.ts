import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { runProgram } from '#test/support/installed-package.ts'
import { spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')
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
