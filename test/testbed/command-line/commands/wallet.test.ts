import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createQrPng, drawQrBlocks } from '#core/qr/qr-code.ts'
import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { send } from '#test/support/http.ts'
import { readQrPng } from '#test/support/images.ts'
import { linkOf } from '#test/support/login-system.ts'
import { runCommand } from '#test/support/processes.ts'
import { openLogin, openTestbedForTest } from '#test/support/running-testbed.ts'
import { startSmallTestbed } from '#test/support/small-testbed.ts'
import { startIssuerCounterpart } from '#test/support/start-issuer-counterpart.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { startVerifierCounterpart } from '#test/support/verifier-counterparts.ts'
import { allFaults } from '#wallet-emulator/faults/find-faults.ts'

/** A folder in which wallet commands run, and the commands. */
function inFolder() {
  const cwd = createTemporaryFolder()
  const wallet = (...args: string[]) => runCommand(['wallet', ...args], { cwd })
  const json = async (...args: string[]) => {
    const { stdout, exitCode, stderr } = await wallet(...args, '--json')
    expect(exitCode, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  return { cwd, wallet, json }
}

const local = '--allow-private-addresses'

describe('testbed wallet', () => {
  it('removes a wallet that can no longer be read', async () => {
    const { cwd, wallet, json } = inFolder()
    await wallet('create')
    writeFileSync(join(cwd, '.testbed/wallets/default/account.json'), '{')
    await wallet('create', '--wallet', 'another')
    expect(await wallet('list')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^another {2}/),
      stderr: expect.stringContaining('✗ default: '),
    })
    expect(await json('remove', '--all')).toEqual({ removed: 'default' })
    expect((await wallet('create')).exitCode).toBe(0)
    expect((await wallet('remove', '--all', '--wallet', 'third')).exitCode).toBe(1)
  })

  it('goes from a key to a presentation', async () => {
    const { cwd, wallet, json } = inFolder()
    const created = await wallet('create', '--curve', 'Ed25519')
    expect(created).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^did:key:z6Mk\S+\n$/),
    })
    expect(created.stderr).toContain('EdDSA')
    expect(statSync(join(cwd, '.testbed/wallets/default/account.json')).mode & 0o777).toBe(0o600)

    const issuer = await startIssuerCounterpart({ pin: '4935' })
    writeFileSync(join(cwd, 'offer.png'), createQrPng(issuer.offerByReference()))
    const accepted = await wallet('accept', '--qr', 'offer.png', '--pin', '4935', local)
    expect(accepted.exitCode, accepted.stderr).toBe(0)
    expect(accepted.stdout).toContain('OrgPortalLearCredential')
    expect(accepted.stderr).toContain(`Offer from ${issuer.baseUrl}`)
    expect(accepted.stderr).toContain('PIN, 4 digits')
    // There was no registry to ask, so not every rule was checked.
    expect(accepted.stderr).toMatch(
      /^! Stored anyway: \d+ of \d+ rules passed, \d+ not checked\.$/m,
    )

    const [listed] = await json('list')
    expect(listed).toMatchObject({
      name: 'default',
      did: created.stdout.trim(),
      credentials: [{ types: expect.arrayContaining(['OrgPortalLearCredential']) }],
    })
    const [{ id }] = listed.credentials
    const [shown] = await json('show', id.slice(0, 6))
    expect(shown.payload.sub).toBe(created.stdout.trim())
    expect((await wallet('show', '--jwt')).stdout.trim()).toBe(shown.credential)

    const verifier = await startVerifierCounterpart({
      answer: '{"redirect_uri":"http://127.0.0.1:4006/done"}',
    })
    const presented = await wallet('present', verifier.linkByValue(), local)
    expect(presented).toMatchObject({ exitCode: 0, stdout: 'http://127.0.0.1:4006/done\n' })
    expect(presented.stderr).toContain('not signed')
    expect(presented.stderr).toContain('Sent. The verifier did not report a verdict.')
    expect(presented.stderr).not.toContain('✓')
    expect(verifier.forms).toHaveLength(1)

    expect(await json('remove', id)).toEqual({ removed: id })
    expect((await json('list'))[0].credentials).toEqual([])
    expect(await json('remove', '--all')).toEqual({ removed: 'default' })
    expect(await json('list')).toEqual([])
  })

  it('does not ask for a PIN without a terminal, and says how to specify it', async () => {
    const { wallet } = inFolder()
    await wallet('create')
    const issuer = await startIssuerCounterpart({ pin: '4935' })
    const { exitCode, stdout, stderr } = await wallet('accept', issuer.offerByValue(), local)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('--pin')
  })

  it('verifies issuer and verifier with the given DID registry', async () => {
    const { wallet, json } = inFolder()
    await wallet('create')
    const issuer = await startIssuerCounterpart({ foreignKey: true })
    const registry = ['--did-registry', issuer.baseUrl, local]
    const refused = await wallet('accept', issuer.offerByValue(), ...registry)
    expect(refused.stderr).toContain('✗ credential.signature')
    expect(refused.stderr).toContain('Expected: The signature verifies with the key')
    expect(refused.stderr).toContain('See: docs/profile/credential.md#')
    issuer.behaviour.foreignKey = false
    expect(await json('accept', issuer.offerByValue(), ...registry)).toMatchObject([
      { issuer: issuer.did, verdict: { verdict: 'accepted-with-warnings', failures: [] } },
    ])
    const verifier = await startVerifierCounterpart()
    const unknown = await wallet('present', verifier.link(), local)
    expect(unknown.stderr).toContain('✗ request.signature')
    const answer = '{"redirect_uri":"http://127.0.0.1:4006/done?error=access_denied"}'
    const refusing = await startVerifierCounterpart({ answer })
    const rejected = await wallet('present', refusing.linkByValue(), local)
    expect(rejected.exitCode).toBe(1)
    expect(rejected.stderr).toContain('✗ access_denied')
    const known = ['--did-registry', verifier.baseUrl, local]
    expect(await json('present', verifier.link(), ...known)).toMatchObject({
      clientId: verifier.did,
      signed: true,
    })
  })

  it('uses clock, registries and permissions of the testbed that uses the data folder', async () => {
    const { cwd, wallet, json } = inFolder()
    await wallet('create')
    const issuer = await startIssuerCounterpart({ foreignKey: true })
    const { origin, testbed } = await startSmallTestbed()
    const { pre } = testbed.environments
    if (pre) pre.didRegistryBaseUrl = issuer.baseUrl
    writeFileSync(join(cwd, '.testbed/testbed.json'), JSON.stringify(testbed))
    const unsigned = await wallet('accept', issuer.offerByValue())
    expect(unsigned.stderr).toContain('✗ credential.signature')

    issuer.behaviour.foreignKey = false
    // The testbed's TIR counts from now on, and this issuer has no accreditation.
    expect((await wallet('accept', issuer.offerByValue())).stderr).toContain(
      '✗ credential.terms-of-use',
    )
    expect(await json('accept', issuer.offerByValue(), '--policy', 'warn')).toMatchObject([
      {
        verdict: {
          verdict: 'accepted-with-warnings',
          failures: [{ rule: 'credential.terms-of-use' }],
        },
      },
    ])
    await fetch(`${origin}/control/clock`, {
      method: 'POST',
      headers: { authorization: 'Bearer control-token' },
      body: JSON.stringify({ advance_seconds: 3700 }),
    })
    expect((await wallet('show')).stdout).toContain('(expired)')
  })

  it('prints the error of the issuer, and keeps nothing', async () => {
    const { wallet, json } = inFolder()
    await wallet('create')
    const issuer = await startIssuerCounterpart({ pin: '4935' })
    const refused = await wallet('accept', issuer.offerByValue(), '--pin', '0000', local)
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('invalid_grant')
    expect(refused.stderr).toContain('✗ token-request.tx-code: The code or the PIN is wrong.')
    expect(refused.stderr).toContain('Expected: The request has the PIN of the offer')
    expect(refused.stderr).toContain('See: docs/profile/connector.md#')
    expect((await json('list'))[0].credentials).toEqual([])
  })

  it('names each rule that a request breaks', async () => {
    const { wallet } = inFolder()
    await wallet('create')
    const verifier = await startVerifierCounterpart({
      request: { nonce: undefined, response_mode: 'fragment' },
    })
    const { exitCode, stderr } = await wallet('present', verifier.linkByValue(), local)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('✗ request.nonce')
    expect(stderr).toContain('✗ request.response-mode')
  })

  it('does not fetch from private addresses unless allowed, and says so', async () => {
    const { wallet } = inFolder()
    await wallet('create')
    const issuer = await startIssuerCounterpart()
    const { exitCode, stderr } = await wallet('accept', issuer.offerByReference())
    expect(exitCode).toBe(1)
    expect(stderr).toContain('--allow-private-addresses')
    expect(issuer.requests).toEqual([])
  })

  it.each([
    ['no link', ['accept']],
    ['a link and a file', ['accept', 'openid-credential-offer://', '--qr', 'a.png']],
    ['a missing file', ['present', '--qr', 'gone.png']],
    ['an unknown curve', ['create', '--curve', 'P-384']],
    ['a name that is a path', ['create', '--wallet', '../other']],
    ['an unknown command', ['fly']],
    ['nothing to remove', ['remove']],
  ])('answers %s with exit code 2', async (_, args) => {
    const { wallet } = inFolder()
    expect(await wallet(...args)).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it('reports a missing wallet, and how to create it', async () => {
    const { wallet } = inFolder()
    const { exitCode, stderr } = await wallet('show', '--wallet', 'ana')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('testbed wallet create --wallet ana')
  })

  it('never overwrites a wallet', async () => {
    const { wallet } = inFolder()
    const first = await wallet('create')
    const again = await wallet('create')
    expect(again).toMatchObject({ exitCode: 1, stdout: '' })
    // Without the name, the suggested command would remove the default wallet.
    expect(again.stderr).toContain('wallet remove --all --wallet NAME')
    expect((await wallet('list')).stdout).toContain(first.stdout.trim())
  })

  it('shows a link as a QR code, and rejects a link that is too long', async () => {
    const { cwd, wallet } = inFolder()
    const link = 'openid4vp://?request_uri=http%3A%2F%2F127.0.0.1%2Fr%2F1'
    expect((await wallet('qr', link)).stdout.trimEnd().split('\n')).toEqual(drawQrBlocks(link))
    expect(await wallet('qr', link, '--png', 'qr.png')).toMatchObject({ exitCode: 0, stdout: '' })
    expect(readQrPng(readFileSync(join(cwd, 'qr.png')))).toBe(link)
    expect(await wallet('qr', 'x'.repeat(2954))).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

describe('faults', () => {
  function inFolder() {
    const cwd = createTemporaryFolder()
    return (...args: string[]) => runCommand(['wallet', ...args], { cwd })
  }

  describe('testbed wallet faults', () => {
    it('prints each fault with its check and rule, on lines of 80 characters', async () => {
      const { exitCode, stdout, stderr } = await inFolder()('faults')
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
      const entries = stdout.trimEnd().split('\n\n')
      expect(entries.map((entry) => entry.replace(/\s+/g, ' '))).toEqual(
        allFaults.map(({ name, description }) => {
          const { check, rule } = brokenBy({ name })
          return `${name} (${check}) ${description} Breaks ${rule}`
        }),
      )
    })

    it('prints the expected reaction of the other side as JSON', async () => {
      const { stdout } = await inFolder()('faults', '--json')
      const faults: { name: string }[] = JSON.parse(stdout)
      expect(faults.map(({ name }) => name)).toEqual(allFaults.map(({ name }) => name))
      expect(faults).toContainEqual({
        name: 'pin-wrong',
        check: 'I17',
        description: expect.any(String),
        rule: expect.stringContaining('profile/'),
        needs: ['pin'],
        expected: { at: 'token', status: 400, error: 'invalid_grant' },
        stages: ['tokenRequest'],
      })
    })
  })

  describe('--fault', () => {
    it('makes the wallet deviate in each given way', async () => {
      const wallet = inFolder()
      await wallet('create')
      const local = ['--allow-private-addresses', '--yes']
      const issuer = await startIssuerCounterpart({ pin: '4935' })
      const accept = ['accept', issuer.offerByValue(), '--pin', '4935', ...local]
      const refused = await wallet(...accept, '--fault', 'pin-wrong')
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
      expect(refused.stderr).toContain('Deviates (I17)')
      expect(await wallet(...accept)).toMatchObject({ exitCode: 0 })

      const verifier = await startVerifierCounterpart()
      const two = ['--fault', 'submission-missing', '--fault', 'response-wrong-state']
      const presented = await wallet('present', ...two, verifier.linkByValue(), ...local)
      expect(presented.exitCode, presented.stderr).toBe(0)
      const [form] = verifier.forms
      expect(form?.get('presentation_submission')).toBeNull()
      expect(form?.get('state')).toBe('bm90LXRoZS1zdGF0ZQ')
    })

    it('exits with code 2 for impossible combinations', async () => {
      const wallet = inFolder()
      await wallet('create')
      for (const [names, message] of [
        [['pin-worng'], 'pin-wrong'],
        [['pin-wrong', 'pin-missing'], 'pin-wrong and pin-missing'],
        [['proof-order-added'], 'EdDSA'],
      ] as const) {
        const faults = names.flatMap((name) => ['--fault', name])
        const link = 'openid-credential-offer://?x'
        const { exitCode, stdout, stderr } = await wallet('accept', link, ...faults)
        expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
        expect(stderr).toContain(message)
      }
    })
  })
})

const program = resolve(import.meta.dirname, '../../../../bin/testbed')

describe('testbed wallet serve', () => {
  it('prints its address, answers there, and frees the port when it is interrupted', async () => {
    const child = spawn(process.execPath, [program, 'wallet', 'serve', '--curve', 'Ed25519'], {
      cwd: createTemporaryFolder(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    const [address] = await once(createInterface(child.stdout), 'line')
    const response = await fetch(`${address}/list`)
    expect(await response.json()).toMatchObject({ algorithm: 'EdDSA', credentials: [] })
    child.kill('SIGINT')
    expect(await exited).toEqual([130, null])
    const socket = createConnection(Number(new URL(String(address)).port), '127.0.0.1')
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  })

  it.each([
    ['an invalid port', ['--port', 'x']],
    ['an unknown deviation', ['--fault', 'no-such-fault']],
    ['all addresses of the machine without a token', ['--bind', '0.0.0.0']],
  ])('exits with code 2 for %s', async (_, options) => {
    const { exitCode, stderr } = await runCommand(['wallet', 'serve', ...options], {
      cwd: createTemporaryFolder(),
    })
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 })
  })
})

const openLink = async (environment: Environment) => linkOf(await openLogin(environment))

describe('testbed wallet next to a running testbed', () => {
  it('distinguishes a revoked credential and a failed login from good ones', async () => {
    const cwd = createTemporaryFolder()
    const wallet = (...args: string[]) => runCommand(['wallet', ...args], { cwd })
    const json = async (...args: string[]) => JSON.parse((await wallet(...args, '--json')).stdout)
    const dataFolder = join(cwd, '.testbed')
    const { testbed, pre, control, order } = await openTestbedForTest({ dataFolder })
    await wallet('create')
    const accepted = await wallet('accept', await order(), '--yes')
    expect(accepted.stderr).toMatch(/^✓ Checked: (\d+) of \1 rules passed\.$/m)

    expect((await wallet('show')).stdout).toContain('not revoked')
    const good = await wallet('present', await openLink(pre), '--yes')
    expect(good).toMatchObject({ exitCode: 0 })
    expect(good.stderr).toContain('✓ The verifier accepted the presentation.')

    const [{ credentialId }] = (await json('list'))[0].credentials
    const [{ organizationIdentifier = '' } = {}] = pre.organizations
    const { body } = await control('/pre/bearer-tokens', {
      json: { organization_identifier: organizationIdentifier },
    })
    const revoked = await send(`${pre.issuerBaseUrl}/issuance/credential/revoke`, {
      headers: { authorization: `Bearer ${body.access_token}` },
      json: { credential_id: credentialId },
    })
    expect(revoked.status).toBe(200)
    expect((await json('list'))[0].credentials).toMatchObject([{ status: 'revoked' }])
    expect((await wallet('list')).stdout).toContain('revoked by its issuer')
    expect((await wallet('show')).stdout).toContain('revoked by its issuer')

    const refused = await wallet('present', await openLink(pre), '--yes')
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('✗ The verifier rejected the presentation: credential.status')
    expect(refused.stderr).toContain('Expected: The credential is not revoked.')
    expect(refused.stderr).toContain('✗ credential.status: ')
    expect(refused.stderr).not.toContain('✓')

    await testbed.close()
    expect((await json('list'))[0].credentials).toMatchObject([{ status: 'unknown' }])
    expect((await wallet('list')).stdout).toContain('status could not be checked')
  }, 120_000)
})
