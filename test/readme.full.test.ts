import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runProgram } from '#test/support/installed-package.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const root = dirname(import.meta.dirname)
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
