import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { zResults } from '#scenarios/harness/z-results.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { isAlive, listChildren } from '#test/support/processes.ts'
import { spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { findPortOwner } from '#testbed/process/listen.ts'

// Eleven processes on a busy machine.
const timeout = 90_000

/** The address of each service of an environment. */
function servicesOf(environment: Environment): string[] {
  return [
    environment.didRegistryBaseUrl,
    environment.tirBaseUrl,
    environment.apiKeysBaseUrl ?? '',
    environment.managementApiUrl,
    environment.connectorBaseUrl ?? '',
    environment.issuerBaseUrl,
    environment.verifierBaseUrl,
    environment.idpBaseUrl,
    environment.tokenIssuerBaseUrl,
  ]
}

const ownerOf = (url: string) => findPortOwner(Number(new URL(url).port))?.pid

const isClosed = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  )

/** That nothing is left of a testbed, which may take the blink of an eye. */
async function expectNothingLeft(pids: readonly number[], urls: readonly string[]) {
  await expect.poll(() => pids.filter(isAlive), { timeout: 5000 }).toEqual([])
  expect(await Promise.all(urls.map(isClosed))).toEqual(urls.map(() => true))
}

describe.runIf(process.platform === 'linux')('testbed up --processes', () => {
  it('ends with the reason if the process of a service ends unexpectedly', {
    timeout,
  }, async () => {
    const folder = createTemporaryFolder()
    const testbed = spawnTestbed(folder, '--processes', '--in-memory')
    const { pre } = (await testbed.healthy).environments
    const children = listChildren(testbed.child.pid)
    process.kill(ownerOf(pre?.issuerBaseUrl ?? '') ?? 0, 'SIGKILL')
    expect(await testbed.ended).toBe(1)
    expect(testbed.stderr()).toContain('The process of the pre issuer ended unexpectedly (SIGKILL)')
    await expectNothingLeft(children, pre === undefined ? [] : servicesOf(pre))
  })
})

describe.runIf(process.platform === 'linux')('testbed run --processes', () => {
  it('runs scenarios against it, and leaves no process behind after Ctrl-C', {
    timeout,
  }, async () => {
    const cwd = createTemporaryFolder()
    const program = resolve(import.meta.dirname, '../../../bin/testbed')
    const pattern = '^(broker|deferred|issuance/(representative|connector-away)|login|time)/'
    const args = [program, 'run', pattern, '--processes', '--report', 'out']
    // A separate group, to which the terminal would send the signal: children get it too.
    const child = spawn(process.execPath, args, { cwd, detached: true })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    let shown = ''
    const enough = Promise.withResolvers<void>()
    child.stdout.on('data', (chunk) => {
      shown += chunk
      if ((shown.match(/✓/g) ?? []).length >= 5) enough.resolve()
    })
    await Promise.race([enough.promise, exited])
    const children = listChildren(child.pid)
    expect(children.length).toBeGreaterThanOrEqual(10)
    process.kill(-(child.pid ?? 0), 'SIGINT')
    expect(await exited).toEqual([130, null])
    await expectNothingLeft(children, [])
    const { scenarios } = zResults.parse(
      JSON.parse(readFileSync(join(cwd, 'out', 'results.json'), 'utf8')),
    )
    const verdicts = scenarios.map(({ verdict }) => verdict)
    expect(verdicts.filter((verdict) => verdict === 'passed').length).toBeGreaterThanOrEqual(5)
    expect(verdicts).not.toContain('failed')
  })
})
