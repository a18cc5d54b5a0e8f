import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import {
  type InstalledPackage,
  runProgram,
  terminalEnvironment,
} from '#test/support/installed-package.ts'
import { root } from '#test/support/repository.ts'
import { readResults } from '#test/support/results.ts'
import { findFreePorts } from '#test/support/servers.ts'
import { findDeadLinks } from './find-dead-links.ts'
import { startInTerminal } from './start-in-terminal.ts'

const readPage = (name: string) => readFileSync(join(root, 'docs/guides', name), 'utf8')

/** The verdicts of a conformance run by the id of their check. */
const verdictsByCheck = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readResults(folder).scenarios.map(({ check, verdict }) => [check?.id ?? '', verdict]),
  )

const pages = [
  'test-my-wallet.md',
  'test-my-verifier.md',
  'test-my-issuer.md',
  'test-my-relying-party.md',
]

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
      expect(steps.map(({ code }) => code)).toEqual([0, 1, 1, 0, 0, 0, 0])
      const verdicts = verdictsByCheck(join(folder, 'issuer-result'))
      expect(new Set(Object.values(verdicts))).toEqual(new Set(['passed', 'inconclusive']))
    })
  })

  describe('docs/guides/test-my-relying-party.md', () => {
    it('tests the example, then logs a user in', { timeout: 240_000 }, async () => {
      const { folder } = installed()
      const [port, kitPort] = (await findFreePorts(2)).map(String)
      const replace = { 3000: port ?? '', 4704: kitPort ?? '' }
      const steps = await runWalk(readPage('test-my-relying-party.md'), { folder, replace })
      expect(steps.map(({ code }) => code)).toEqual([0, 0])
    })
  })
}

const exported = './exported-variables'
// npx takes half a second to find what is installed here; other tests have it do so.
const npx = '#!/bin/sh\nprogram="$1"\nshift\nexec "node_modules/.bin/$program" "$@"\n'

export interface WalkOptions {
  /** The reader's project. */
  readonly folder: string
  /** Replacements for strings of the page, such as free ports for its fixed ports. */
  readonly replace?: Readonly<Record<string, string>>
}

/** A block of shell lines of the page, and how it ended. */
export interface WalkStep {
  readonly command: string
  readonly code: number
  /** Both streams, as a terminal shows them. */
  readonly output: string
}

/**
 * Follows the instructions of a page from top to bottom. Blocks below a line `` `name`: `` are files;
 * `diff` changes the file that the sentence before it names. `sh` is run, in another terminal if the
 * page says so. `text` is the output of the block before it, line by line, possibly with further lines
 * between them. `…` matches any characters.
 */
async function runWalk(page: string, options: WalkOptions): Promise<WalkStep[]> {
  const { folder, replace = {} } = options
  const walked = Object.entries(replace).reduce(
    (whole, [from, to]) => whole.replaceAll(from, to),
    page,
  )
  const steps: WalkStep[] = []
  rmSync(join(folder, exported), { force: true })
  mkdirSync(join(folder, 'walk-programs'), { recursive: true })
  writeFileSync(join(folder, 'walk-programs/npx'), npx, { mode: 0o755 })
  const blocks = walked.matchAll(/(?<=^(.*)\n\n)```(\w+)\n([\s\S]*?)^```$/gm)
  for (const [, before = '', kind = '', block = ''] of blocks) {
    const [, path] = /`([\w-]+\.\w+)`:$/.exec(before) ?? []
    if (kind === 'text') expectLines(steps.at(-1)?.output ?? '', block)
    else if (kind === 'sh' && /(second|third) terminal/.test(before)) await begin(block, folder)
    else if (kind === 'sh') steps.push(await run(block, folder))
    else if (path === undefined) throw new TypeError(`Which file is the ${kind}: ${block}`)
    else if (kind === 'diff') change(join(folder, path), block)
    else writeFileSync(join(folder, path), block)
  }
  return steps
}

/** One terminal for all blocks: what one exports the next ones have. */
async function run(command: string, cwd: string): Promise<WalkStep> {
  const script = `exec 2>&1; trap 'export -p > ${exported}' EXIT
    if [ -e ${exported} ]; then . ${exported}; fi
    ${command}`
  const env = { PATH: pathWithin(cwd) }
  const { code, stdout } = await runProgram('sh', ['-u', '-c', script], { cwd, env })
  return { command, code, output: stdout }
}

const pathWithin = (folder: string) =>
  [join(folder, 'walk-programs'), terminalEnvironment.PATH].join(delimiter)

/** Starts what the second terminal is for, and waits until it says that it is there. */
async function begin(command: string, cwd: string): Promise<void> {
  const { stdout, stderr } = startInTerminal(command, { cwd, env: { PATH: pathWithin(cwd) } })
  const errors = text(stderr)
  const end = once(stdout, 'end').then(async () => {
    throw new Error(`${command}ended: ${await errors}`)
  })
  await Promise.race([once(stdout, 'data'), end])
}

/** Replaces the lines with a minus, which must be in the file once and together, by those with a plus. */
function change(file: string, diff: string): void {
  const linesWith = (sign: string) =>
    diff
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  const parts = readFileSync(file, 'utf8').split(linesWith('-'))
  expect(parts).toHaveLength(2)
  writeFileSync(file, parts.join(linesWith('+')))
}

function expectLines(output: string, expected: string): void {
  const lines = output.split('\n')
  for (const wanted of expected.split('\n').filter((line) => line !== '')) {
    const index = lines.findIndex((line) => fits(line, wanted))
    const missing = index < 0 ? { wanted, output } : undefined
    expect(missing).toBeUndefined()
    lines.splice(0, index + 1)
  }
}

/** Returns whether a line matches the line of the page, in which `…` matches any characters. */
function fits(line: string, wanted: string): boolean {
  const [start = '', ...others] = wanted.split('…')
  const end = others.pop()
  if (end === undefined) return line === wanted
  if (!line.startsWith(start)) return false
  let from = start.length
  for (const part of others) {
    const index = line.indexOf(part, from)
    if (index < 0) return false
    from = index + part.length
  }
  return line.length - end.length >= from && line.endsWith(end)
}
