import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { callRpc } from '#test/support/chain.ts'
import { alive, descendantsOf, runCommand } from '#test/support/processes.ts'
import { readResults } from '#test/support/results.ts'
import { spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

/** What the trust chain looks like from outside. */
async function readTrustChain({ environments }: TestbedFile) {
  const { pre } = environments
  if (pre === undefined) throw new Error('there is no environment pre')
  const { issuer, rootTao } = pre.trustChain
  const read = async (url: string) => (await fetch(url)).json()
  return {
    trustChain: pre.trustChain,
    verifierDid: pre.verifierDid,
    issuerDocument: await read(`${pre.didRegistryBaseUrl}/api/v1/identifiers/${issuer.did}`),
    issuerAttribute: await read(
      `${pre.tirBaseUrl}/v1/issuers/${issuer.did}/attributes/${issuer.attributeId}`,
    ),
    rootAttribute: await read(
      `${pre.tirBaseUrl}/v1/issuers/${rootTao.did}/attributes/${rootTao.attributeId}`,
    ),
    head: (await callRpc(pre.chain.rpcUrl, 'eth_getBlockByNumber', 'latest', false)).result,
    secrets: [pre.apiKeys, pre.oidcClient.clientSecret, pre.admin, pre.operator],
  }
}

describe('testbed up', () => {
  it('keeps its state after SIGINT, after a second SIGINT, and after kill -9', async () => {
    const folder = createTemporaryFolder()
    const first = spawnTestbed(folder)
    const before = await readTrustChain(await first.healthy)
    first.child.kill('SIGINT')
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(130)
    expect(existsSync(join(folder, 'testbed.json'))).toBe(false)
    const second = spawnTestbed(folder)
    expect(await readTrustChain(await second.healthy)).toEqual(before)
    second.child.kill('SIGKILL')
    await second.ended
    const third = spawnTestbed(folder)
    const file = await third.healthy
    expect(await readTrustChain(file)).toEqual(before)
    expect(file.pid).toBe(third.child.pid)
  })
})

const program = resolve(import.meta.dirname, '../../../../bin/testbed')
describe('testbed run', () => {
  it('reports what ran, leaves no process and exits with code 130 if it is interrupted', async () => {
    const cwd = createTemporaryFolder()
    const args = ['run', '--report', 'out', '--workers', '1']
    const child = spawn(process.execPath, [program, ...args], { cwd })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    // The first line: one scenario has ended, others are under way or still to come.
    await once(child.stdout, 'data')
    const started = descendantsOf(child.pid ?? 0)
    expect(started.length).toBeGreaterThan(0)
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await exited).toEqual([130, null])
    await expect.poll(() => alive(started)).toEqual([])
    const { interrupted, scenarios } = readResults(join(cwd, 'out'))
    expect(interrupted).toBe(true)
    const verdicts = new Set(scenarios.map(({ verdict }) => verdict))
    expect([...verdicts]).toEqual(expect.arrayContaining(['passed', 'not-run']))
    expect([...verdicts]).not.toContain('failed')
  })
})

it('docs/guides/explain-a-message.md quotes the actual output', async () => {
  const path = resolve(import.meta.dirname, '../../../../docs/guides/explain-a-message.md')
  const document = await readFile(path, 'utf8')
  const blockOf = (language: string) =>
    new RegExp(`\`\`\`${language}\\n(.*?)\\n\`\`\``, 's').exec(document)?.[1] ?? ''
  const cwd = createTemporaryFolder()
  await writeFile(join(cwd, 'offer.json'), blockOf('json'))
  const [npx, program, ...args] = blockOf('sh').split(' ')
  expect([npx, program]).toEqual(['npx', 'lear-testbed'])
  const { exitCode, stdout } = await runCommand(args, { cwd, env: { NO_COLOR: '1' } })
  expect(exitCode).toBe(1)
  // The guide is for projects that installed the package, in which the profile is elsewhere.
  const installed = stdout.replace(
    /docs\/(.*)\.md#/,
    'node_modules/lear-testbed/dist/documentation/$1.html#',
  )
  expect(installed.trimEnd()).toBe(blockOf('text'))
})
