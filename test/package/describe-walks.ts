import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import type { InstalledPackage } from '#test/support/installed-package.ts'
import { readResults } from '#test/support/results.ts'
import { findFreePorts } from '#test/support/servers.ts'
import { findDeadLinks } from './find-dead-links.ts'
import { runWalk } from './run-walk.ts'
import { startInTerminal } from './start-in-terminal.ts'

const root = resolve(import.meta.dirname, '../..')
const readPage = (name: string) => readFileSync(join(root, 'docs/guides', name), 'utf8')

/** The verdicts of a conformance run by the id of their check. */
const verdictsByCheck = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readResults(folder).scenarios.map(({ check, verdict }) => [check?.id ?? '', verdict]),
  )

const pages = ['test-my-wallet.md', 'test-my-verifier.md', 'test-my-issuer.md']

/** Runs the walkthroughs of docs/guides/test-my-*.md verbatim, except for their ports. */
export function describeWalks(installed: () => InstalledPackage): void {
  it.each(pages)('docs/guides/%s names only files that exist', (page) => {
    expect(findDeadLinks(join(root, 'docs/guides', page))).toEqual([])
  })

  describe('docs/guides/test-my-wallet.md', () => {
    it('leads from a FAIL to a signed result', { timeout: 600_000 }, async () => {
      const { folder } = installed()
      const replace = { 4100: String((await findFreePorts(1))[0]) }
      const steps = await runWalk(readPage('test-my-wallet.md'), { folder, replace })
      expect(steps.map(({ code }) => code)).toEqual([1, 0, 0, 0, 0])
      const verdicts = verdictsByCheck(join(folder, 'wallet-result'))
      expect(Object.keys(verdicts).length).toBeGreaterThan(90)
      expect(new Set(Object.values(verdicts))).toEqual(new Set(['passed', 'inconclusive']))
    })

    it('shows a person which page to open on the phone', async () => {
      const { folder } = installed()
      const page = readPage('test-my-wallet.md')
      const [, target = ''] = /^`my-phone.yaml`:\n\n```yaml\n(.*?)^```/ms.exec(page) ?? []
      const [, command = ''] = /`(npx lear-testbed [^`]*my-phone.yaml)`/.exec(page) ?? []
      const here = target
        .replace('0.0.0.0', '127.0.0.1')
        .replace('192.168.1.20', '127.0.0.1')
        .replaceAll('4700', String((await findFreePorts(1))[0]))
      writeFileSync(join(folder, 'my-phone.yaml'), here)
      const { stderr } = startInTerminal(command, { cwd: folder })
      const lines: string[] = []
      for await (const line of createInterface(stderr)) {
        lines.push(line.trim())
        if (line.includes('/person/')) break
      }
      expect(lines.find((line) => line.startsWith('root'))).toContain('did:org:uc-pre:')
      const response = await fetch(lines.at(-1) ?? '')
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('The wallet on my phone')
    })
  })

  describe('docs/guides/test-my-verifier.md', () => {
    it('leads from two FAILs to a signed result', { timeout: 600_000 }, async () => {
      const { folder } = installed()
      const replace = { 8080: String((await findFreePorts(1))[0]) }
      const steps = await runWalk(readPage('test-my-verifier.md'), { folder, replace })
      expect(steps.map(({ code }) => code)).toEqual([1, 1, 0, 1, 0])
      expect(verdictsByCheck(join(folder, 'verifier-result'))).toMatchObject({
        V04: 'passed',
        V07: 'passed',
        V12: 'passed',
      })
    })
  })

  describe('docs/guides/test-my-issuer.md', () => {
    it('leads from a FAIL to a signed result', { timeout: 600_000 }, async () => {
      const { folder } = installed()
      const steps = await runWalk(readPage('test-my-issuer.md'), { folder })
      expect(steps.map(({ code }) => code)).toEqual([0, 1, 1, 0, 0, 0])
      const verdicts = verdictsByCheck(join(folder, 'issuer-result'))
      expect(new Set(Object.values(verdicts))).toEqual(new Set(['passed', 'inconclusive']))
    })
  })
}
