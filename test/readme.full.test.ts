import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const root = dirname(import.meta.dirname)
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The commands of the first example, in their order. */
const commands = [
  ...readme
    .slice(readme.indexOf('## A first example'), readme.indexOf('## The system'))
    .matchAll(/^```sh\n(.*?)^```/gms),
].map(([, block = '']) => block)

async function runShell(script: string, cwd: string, input = '') {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const shell = spawn('sh', ['-eu', '-c', script], { cwd, env: { ...process.env, PATH: path } })
  shell.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close'),
  ])
  return { stdout, stderr, code }
}

describe('README.md', () => {
  it('has a first example that works word for word', { timeout: 60_000 }, async ({ skip }) => {
    const paths = (process.env.PATH ?? '').split(delimiter)
    if (!paths.some((path) => existsSync(join(path, 'curl')))) skip('curl is not installed here')
    const folder = createTemporaryFolder()
    symlinkSync(join(root, 'bin'), join(folder, 'bin'))
    const { environments } = await spawnTestbed(join(folder, '.testbed')).healthy

    const last = commands.at(-1) ?? ''
    const first = await runShell(commands.slice(0, -1).join('\n'), folder)
    expect(first).toMatchObject({ code: 0 })
    expect(first.stdout).toContain('Almenara Logistics')
    const address = first.stdout.trimEnd().split('\n').at(-1) ?? ''

    // What a person does in the browser: open the address, copy the button's link.
    const { redirectUri = '' } = environments.pre?.oidcClient ?? {}
    const browser = createHttpBrowser([redirectUri])
    const page = await browser.get(address)
    expect(page.text).toContain('Open the wallet on this device')
    const link = page.text.match(/href="(openid4vp:[^"]+)"/)?.[1]?.replaceAll('&amp;', '&')
    expect(last).toContain("'openid4vp://…'")
    const shown = await runShell(last.replace('openid4vp://…', link ?? ''), folder, 'y\n')
    expect(shown).toMatchObject({ code: 0 })

    // The page goes on by itself when it learns of the success; the printed address does the same.
    const goOn = shown.stdout.trimEnd().split('\n').at(-1) ?? ''
    expect((await browser.get(goOn)).url).toMatch(/\/callback\/pre\/relying-party\?code=/)
  })

  it('names only files and folders that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path)
    const folders = [...readme.matchAll(/^\| `([\w/-]+)` \|/gm)].map(([, path = '']) => path)
    expect(links.length + folders.length).toBeGreaterThan(10)
    expect([...links, ...folders].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
