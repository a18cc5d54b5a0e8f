import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { callRpc } from '#test/support/chain.ts'
import { createPanel } from '#test/support/login-system.ts'
import { alive, descendantsOf, runCommand } from '#test/support/processes.ts'
import { openTestbedForTest, spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

/** Every http address in a testbed.json that answers by itself. */
function addressesOf({ consoleUrl, mail, environments }: TestbedFile): string[] {
  return [
    consoleUrl,
    mail.apiUrl,
    ...Object.values(environments).flatMap((environment) => [
      environment.didRegistryBaseUrl,
      environment.tirBaseUrl,
      environment.issuerBaseUrl,
      environment.connectorBaseUrl ?? '',
      environment.idpBaseUrl,
      environment.verifierBaseUrl,
      environment.tokenIssuerBaseUrl,
      environment.managementApiUrl,
    ]),
  ]
}

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 'closed',
  )

describe('testbed up', () => {
  it('is healthy, locks its data folder, and releases everything on SIGTERM', async () => {
    const folder = createTemporaryFolder()
    // Below the ports that the system gives to servers of other tests.
    const base = String(randomInt(20_000, 30_000))
    const testbed = spawnTestbed(folder, '--seed', 'one', '--port-base', base)
    const file = await testbed.healthy
    expect(statSync(join(folder, 'testbed.json')).mode & 0o777).toBe(0o600)
    expect(file.pid).toBe(testbed.child.pid)
    const health = addressesOf(file).map((url) => `${url}/health`)
    expect(await Promise.all(health.map(statusOf))).toEqual(health.map(() => 200))
    const { pre } = file.environments
    const rpcUrl = pre?.chain.rpcUrl ?? ''
    expect((await callRpc(rpcUrl, 'eth_chainId')).result).toBe(pre?.chain.chainId)
    for (const url of addressesOf(file)) expect(testbed.stdout()).toContain(url)
    const panel = await createPanel({ baseUrl: pre?.idpBaseUrl ?? '' }).logIn(pre?.admin)
    expect([panel.status, new URL(panel.url).pathname]).toEqual([200, '/admin/'])

    const second = spawnTestbed(folder)
    expect(await second.ended).toBe(3)
    expect(second.stderr()).toContain(`process ${testbed.child.pid}`)
    expect(second.stderr()).not.toContain('    at ')
    expect(await statusOf(`${file.consoleUrl}/health`)).toBe(200)
    expect(existsSync(join(folder, 'testbed.json'))).toBe(true)

    testbed.child.kill('SIGTERM')
    testbed.child.kill('SIGTERM')
    expect(await testbed.ended).toBe(0)
    expect(existsSync(join(folder, 'testbed.json'))).toBe(false)
    expect(existsSync(join(folder, 'lock'))).toBe(false)
    expect(await Promise.all([rpcUrl, ...health].map(statusOf))).toEqual(
      [rpcUrl, ...health].map(() => 'closed'),
    )
    const up = ['up', '--port-base', '0', '--data', folder, '--seed', 'other']
    expect(await runCommand(up, { cwd: folder })).toMatchObject({ exitCode: 2 })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 0],
  ] as const)('announces nothing if %s ends it while it starts', async (signal, exitCode) => {
    const testbed = spawnTestbed(createTemporaryFolder())
    await expect.poll(() => existsSync(join(testbed.folder, 'lock'))).toBe(true)
    testbed.child.kill(signal)
    testbed.child.kill(signal)
    expect(await testbed.ended).toBe(exitCode)
    expect(testbed.stdout() + testbed.stderr()).toBe('')
    expect(existsSync(join(testbed.folder, 'lock'))).toBe(false)
  })

  it('ends and leaves nothing if it is interrupted while a chain does not respond', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const chain = ['--chain-rpc', `http://127.0.0.1:${port}`, '--processes']
    const testbed = spawnTestbed(createTemporaryFolder(), ...chain)
    await once(silent, 'connection')
    const started = descendantsOf(testbed.child.pid ?? 0)
    expect(started).not.toEqual([])
    const interrupted = performance.now()
    testbed.child.kill('SIGINT')
    expect(await testbed.ended).toBe(130)
    expect(performance.now() - interrupted).toBeLessThan(4000)
    expect(existsSync(join(testbed.folder, 'lock'))).toBe(false)
    await expect.poll(() => alive(started)).toEqual([])
  })

  it('reports which port is in use, and exits with code 3', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void blocker.close())
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    const folder = createTemporaryFolder()
    // The base is the console's port.
    const up = ['up', '--port-base', String(port), '--data', folder]
    const { exitCode, stderr } = await runCommand(up, { cwd: folder })
    expect(exitCode).toBe(3)
    expect(stderr).toContain(`Port ${port}`)
    if (process.platform === 'linux') expect(stderr).toContain(String(process.pid))
    expect(stderr).not.toContain('    at ')
    expect(existsSync(join(folder, 'lock'))).toBe(false)
  })

  it('has the same chain keys and DIDs for the same seed, but different secrets', async () => {
    const { pre: first } = await openTestbedForTest({
      seed: 'a seed',
      dataFolder: createTemporaryFolder(),
    })
    const { pre: second } = await openTestbedForTest({ seed: 'a seed' })
    expect(second.trustChain).toEqual(first.trustChain)
    expect(second.operator).toEqual(first.operator)
    expect(second.chain.didRegistryAddress).toBe(first.chain.didRegistryAddress)
    expect(second.apiKeys).not.toEqual(first.apiKeys)
  })
})
