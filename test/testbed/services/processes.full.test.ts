import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { callJson } from '#test/support/http.ts'
import { isAlive, listChildren } from '#test/support/processes.ts'
import { openTestbedState, spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { findPortOwner } from '#testbed/process/listen.ts'

// Eleven processes on a busy machine.
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
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
  expect(await Promise.all(urls.map(isClosed))).toEqual(urls.map(() => true))
}

describe.runIf(process.platform === 'linux')('testbed up --processes', () => {
  it('behaves like one process, keeps its state after kill -9, and leaves no process behind', {}, async () => {
    const folder = createTemporaryFolder()
    const first = spawnTestbed(folder, '--processes')
    const file = await first.healthy
    const state = await openTestbedState(file)
    const { pre, control } = state
    const services = servicesOf(pre)
    const children = listChildren(first.child.pid)
    // The chain's too; console and mail stay with the parent.
    expect(children.length).toBe(10)
    const owners = services.map(ownerOf)
    expect(new Set(owners).size).toBe(9)
    for (const owner of owners) expect(children).toContain(owner)

    // The fault is active and the time has changed once the control interface has answered.
    const { did } = pre.trustChain.issuer
    const resolveDid = async () =>
      (await fetch(`${pre.didRegistryBaseUrl}/api/v1/identifiers/${did}`)).status
    await control('/pre/faults/chain-down', { method: 'PUT' })
    expect(await resolveDid()).toBe(500)
    await control('/pre/faults/chain-down', { method: 'DELETE' })
    expect(await resolveDid()).toBe(200)
    const began = realSeconds()
    const { now } = (await control('/clock', { json: { advance_seconds: 4000 } })).body
    const metadata = await fetch(`${pre.issuerBaseUrl}/credentials/status/1`)
    const [, payload = ''] = (await metadata.text()).split('.')
    const { iat, nbf } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect((iat ?? nbf) - now).toBeGreaterThan(-3)
    expect((iat ?? nbf) - now).toBeLessThanOrEqual(realSeconds() - began + 2)
    await control('/clock', { method: 'DELETE' })

    // What was answered is in the traces.
    const last = (await control('/traces')).body.hops.at(-1).id
    await fetch(`${pre.idpBaseUrl}/.well-known/openid-configuration`)
    const { hops } = (await control(`/traces?since=${last}`)).body
    expect(hops.map(({ to }: { to: string }) => to)).toContain('idp')

    await state.sendMail('kept')
    const before = await state.read()
    const { id } = (await control('/snapshots', { method: 'POST' })).body
    await state.changeAll()
    const changed = await state.read()
    for (const part of Object.keys(before)) expect(changed[part]).not.toEqual(before[part])
    expect((await control(`/snapshots/${id}/restore`, { method: 'POST' })).status).toBe(200)
    expect(await state.read()).toEqual(before)

    first.child.kill('SIGKILL')
    await first.ended
    await expectNothingLeft(children, services)

    const second = spawnTestbed(folder, '--processes')
    const again = await openTestbedState(await second.healthy)
    const after = await again.read()
    for (const part of ['chain', 'dids', 'didEvents', 'issuers', 'records', 'apiKeys']) {
      expect(after[part]).toEqual(before[part])
    }
    expect(after.clients).not.toContain('added')
    // Snapshots are for one run.
    const path = `/snapshots/${id}/restore`
    expect((await again.control(path, { method: 'POST' })).status).toBe(404)
    const left = listChildren(second.child.pid)
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    await expectNothingLeft(left, servicesOf(again.pre))
  })

  it('ends with the reason if the process of a service ends unexpectedly', {}, async () => {
    const folder = createTemporaryFolder()
    const testbed = spawnTestbed(folder, '--processes', '--in-memory')
    const { pre } = (await testbed.healthy).environments
    const children = listChildren(testbed.child.pid)
    process.kill(ownerOf(pre?.issuerBaseUrl ?? '') ?? 0, 'SIGKILL')
    expect(await testbed.ended).toBe(1)
    expect(testbed.stderr()).toContain('The process of the pre issuer ended unexpectedly (SIGKILL)')
    await expectNothingLeft(children, pre === undefined ? [] : servicesOf(pre))
  })

  it('finishes open requests if another process ends unexpectedly', {}, async () => {
    const testbed = spawnTestbed(createTemporaryFolder(), '--processes')
    const state = await openTestbedState(await testbed.healthy)
    const [organization] = state.pre.organizations
    const { organizationIdentifier: organization_identifier, authorizedPowers } = organization ?? {}
    const order = { organization_identifier }
    const { access_token } = (await state.control('/pre/bearer-tokens', { json: order })).body
    const call = {
      json: { email: 'eva@almenara.example', power: authorizedPowers?.slice(0, 1) },
      headers: { authorization: `Bearer ${access_token}` },
    }
    const answers: string[] = []
    const orderUntilEnd = async (): Promise<void> => {
      const answer = await callJson(`${state.pre.issuerBaseUrl}/issuance/employee`, call).catch(
        () => undefined,
      )
      if (answer === undefined) return
      answers.push(`${answer.status} ${JSON.stringify(answer.body)}`)
      return orderUntilEnd()
    }
    const clients = Array.from({ length: 12 }, orderUntilEnd)
    await expect.poll(() => answers.length).toBeGreaterThan(12)
    process.kill(ownerOf(state.pre.verifierBaseUrl) ?? 0, 'SIGKILL')
    await Promise.all(clients)
    expect(answers.filter((answer) => answer.includes('An internal error'))).toEqual([])
    expect(await testbed.ended).toBe(1)
  })
})

describe.runIf(process.platform === 'linux')('testbed run --processes', () => {
  it('runs scenarios against it, and leaves no process behind after Ctrl-C', {}, async () => {
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

  it('applies variables of the environment to each process', async () => {
    vi.stubEnv('METRIC_NAMESPACE', 'acme')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { healthy } = spawnTestbed(createTemporaryFolder(), '--processes')
    const { pre } = (await healthy).environments
    const issuerBaseUrl = pre?.issuerBaseUrl
    await fetch(`${issuerBaseUrl}/health`)
    expect(await (await fetch(`${issuerBaseUrl}/metrics`)).text()).toMatch(/^acme_/m)
  })
})
