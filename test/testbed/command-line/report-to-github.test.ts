import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createResults, createScenarioResult } from '#test/support/results.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import {
  createGithubReporter,
  type GithubEnvironment,
} from '#testbed/command-line/report-to-github.ts'

const failed = createScenarioResult({
  verdict: 'failed',
  failure: { code: 'x', message: 'é'.repeat(3000) },
})
const results = createResults({ scenarios: Array.from({ length: 300 }, () => failed) })

function createReporter(environment: GithubEnvironment) {
  const written: string[] = []
  const stream = { write: (text: string) => Boolean(written.push(text)) }
  return { reporter: createGithubReporter(environment, stream), written }
}

describe('createGithubReporter', () => {
  it('appends to the job summary, up to the limit of a step', async () => {
    const path = join(createTemporaryFolder(), 'summary')
    writeFileSync(path, 'Of another command.\n')
    const { reporter, written } = createReporter({ GITHUB_STEP_SUMMARY: path })
    await reporter.report(results, undefined)
    expect(statSync(path).size).toBeLessThanOrEqual(1024 * 1024)
    expect(statSync(path).size).toBeGreaterThan(1000 * 1024)
    expect(readFileSync(path, 'utf8')).toMatch(
      /^Of another command\.\n# ❌ Scenarios: 0 passed, 300 /,
    )
    await reporter.report(results, undefined)
    expect(statSync(path).size).toBeLessThanOrEqual(1024 * 1024)
    expect(written).toEqual([])
  })

  it.each([
    ['outside GitHub Actions', {}],
    ['for another value of GITHUB_ACTIONS', { GITHUB_ACTIONS: 'no' }],
  ])('prints nothing %s', async (_, environment) => {
    const { reporter, written } = createReporter(environment)
    reporter.holdCommands()()
    await reporter.report(results, undefined)
    expect(written).toEqual([])
  })

  it('stops commands with a token that cannot be guessed', () => {
    const { reporter, written } = createReporter({ GITHUB_ACTIONS: 'true' })
    reporter.holdCommands()()
    reporter.holdCommands()()
    const tokens = written.map((line) => line.match(/[0-9a-f]{32}/)?.[0])
    expect(written[1]).toBe(`::${tokens[0]}::\n`)
    expect(tokens[2]).not.toBe(tokens[0])
  })

  it('prints an error that may contain commands, and an annotation of it', () => {
    const text = 'testbed: it ended:\n::set-env name=PATH::x\n'
    const { reporter, written } = createReporter({ GITHUB_ACTIONS: 'true' })
    reporter.printError(text)
    const [, token] = written[0]?.match(/^::stop-commands::([0-9a-f]{32})\n$/) ?? []
    expect(written.slice(1)).toEqual([
      text,
      `::${token}::\n`,
      expect.stringMatching(/^::error title=[^:]+::testbed: it ended:%0A::set-env name=PATH::x\n$/),
    ])
    const elsewhere = createReporter({})
    elsewhere.reporter.printError(text)
    expect(elsewhere.written).toEqual([text])
  })

  it('does not fail a run whose summary cannot be written', async () => {
    const { reporter } = createReporter({ GITHUB_STEP_SUMMARY: createTemporaryFolder() })
    await expect(reporter.report(createResults(), undefined)).resolves.toBeUndefined()
  })
})
