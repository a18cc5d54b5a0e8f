import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createControlClient } from '#scenarios/harness/control-client.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { runCommand } from '#test/support/processes.ts'
import { spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

/** The link on the IDP's page, as for a wallet on the same device. */
async function openLogin({ idpBaseUrl, oidcClient }: Environment): Promise<string> {
  const address = new URL(`${idpBaseUrl}/accounts/authorize`)
  address.search = new URLSearchParams({
    client_id: oidcClient.clientId,
    redirect_uri: oidcClient.redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'state',
    nonce: 'nonce',
  }).toString()
  const page = await createHttpBrowser([oidcClient.redirectUri]).get(address.href)
  const [, link = ''] = page.text.match(/id="same-device" href="([^"]+)"/) ?? []
  return link.replaceAll('&amp;', '&')
}

describe('testbed wallet beside a running testbed', () => {
  it('tells a revoked credential and a refused login from good ones', async () => {
    const cwd = createTemporaryFolder()
    const wallet = (...args: string[]) => runCommand(['wallet', ...args], { cwd })
    const json = async (...args: string[]) => JSON.parse((await wallet(...args, '--json')).stdout)
    const running = spawnTestbed(join(cwd, '.testbed'))
    const testbed = await running.healthy
    const { pre } = testbed.environments
    if (pre === undefined) throw new Error('there is no environment pre')
    const control = createControlClient({
      ...testbed.control,
      environment: 'pre',
      scenarioId: () => 'test',
      signal: new AbortController().signal,
    })
    await wallet('create')
    const { offerUri, pin = '' } = await control.createOffer()
    const accepted = await wallet('accept', offerUri, '--pin', pin, '--yes')
    expect(accepted.stderr).toMatch(/^✓ Checked: (\d+) of \1 rules hold\.$/m)

    expect((await wallet('show')).stdout).toContain('not revoked')
    const good = await wallet('present', await openLogin(pre), '--yes')
    expect(good).toMatchObject({ exitCode: 0 })
    expect(good.stderr).toContain('✓ The verifier accepted the presentation.')

    const [{ credentialId }] = (await json('list'))[0].credentials
    const [{ organizationIdentifier = '' } = {}] = pre.organizations
    const bearerToken = await control.createBearerToken({ organizationIdentifier })
    const revoked = await fetch(`${pre.issuerBaseUrl}/issuance/credential/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearerToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ credential_id: credentialId }),
    })
    expect(revoked.status).toBe(200)
    expect((await json('list'))[0].credentials).toMatchObject([{ status: 'revoked' }])
    expect((await wallet('list')).stdout).toContain('revoked by its issuer')
    expect((await wallet('show')).stdout).toContain('revoked by its issuer')

    const refused = await wallet('present', await openLogin(pre), '--yes')
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('✗ The verifier rejected the presentation:')
    expect(refused.stderr).toContain('✗ credential.status: ')
    expect(refused.stderr).not.toContain('✓')

    running.child.kill('SIGTERM')
    await running.ended
    expect((await json('list'))[0].credentials).toMatchObject([{ status: 'unknown' }])
    expect((await wallet('list')).stdout).toContain('status could not be checked')
  }, 120_000)
})
