import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readQrPng } from '#test/support/images.ts'
import { runCommand } from '#test/support/processes.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder, shareTemporaryFolder } from '#test/support/temporary-folder.ts'

const cwd = shareTemporaryFolder()
const testbed = shareTestbed({ dataFolder: join(cwd, '.testbed') })
const run = (...args: string[]) => runCommand(args, { cwd })

describe('testbed issue and revoke', () => {
  it('issue into a wallet, list, revoke, and report what is already revoked', async () => {
    const issued = await run('issue', '-w', 'ana')
    expect(issued).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Ana Ruiz') })
    const { stdout } = await run('revoke', '--json')
    const records = JSON.parse(stdout)
    expect(records).toMatchObject([
      { status: 'issued', organization_identifier: 'VATES-A12345678' },
    ])

    expect((await run('revoke')).stdout).toMatch(
      / {2}issued {3}[\d-]{10} [\d:]{5} UTC {2}OrgPortal/,
    )

    const id = records[0].credential_id
    expect(await run('revoke', '-w', 'ana')).toMatchObject({
      exitCode: 0,
      stdout: `Revoked ${id}\n`,
    })
    const shown = JSON.parse((await run('wallet', 'show', '-w', 'ana', '--json')).stdout)
    expect(shown).toMatchObject([{ status: 'revoked' }])
    const again = await run('revoke', id)
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('already revoked') })
    const unknown = await run('revoke', 'urn:uuid:6f0d5b9c-3f1e-4c86-b6cf-52a4d6a9f9a1')
    expect(unknown).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('No organization'),
    })
  })

  it('revoke nothing if both a credential and a wallet are named, or the wallet is empty', async () => {
    await run('issue', '-w', 'both')
    expect((await run('revoke', 'urn:uuid:another', '-w', 'both')).exitCode).toBe(2)
    const shown = JSON.parse((await run('wallet', 'show', '-w', 'both', '--json')).stdout)
    expect(shown).toMatchObject([{ status: 'valid' }])
    await run('wallet', 'create', '-w', 'empty')
    expect(await run('revoke', '-w', 'empty')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('issued any credential in the wallet "empty".'),
    })
  })

  it('offer a credential as link and as QR code, for any organization', async () => {
    const offered = await run(
      'issue',
      '--organization',
      'Brisa Energy',
      '--qr',
      'offer.png',
      '--json',
    )
    expect(offered.exitCode).toBe(0)
    const { link } = JSON.parse(offered.stdout)
    expect(link).toMatch(/^openid-credential-offer:\/\//)
    expect(readQrPng(readFileSync(join(cwd, 'offer.png')))).toBe(link)
    const missing = await run('issue', '--organization', 'Nobody')
    expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Brisa Energy') })
  })

  it('send an employee the offer, and show what the issuer rejects', async () => {
    const sent = await run('issue', 'eva@almenara.example')
    expect(sent).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('eva@almenara.example'),
    })
    const inbox = await fetch(
      `${testbed.file.mail.apiUrl}/api/v2/search?kind=to&query=eva@almenara.example`,
    )
    expect(await inbox.json()).toMatchObject({ total: 1 })
    expect(await run('issue', 'not-an-address')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("'not-an-address' is not a valid email address."),
    })
    // The command never sees the offer.
    for (const option of ['--wallet', '--qr']) {
      expect(await run('issue', 'eva@almenara.example', option, 'eva')).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('an employee gets the offer by email'),
      })
    }
    const refused = await run('issue', `${'a'.repeat(250)}@almenara.example`)
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Missing required data or invalid powers (email)'),
    })
  })

  it('require a running testbed', async () => {
    const options = { cwd: createTemporaryFolder() }
    for (const command of ['issue', 'revoke', 'open', 'demo']) {
      const { exitCode, stderr } = await runCommand([command], options)
      expect([command, exitCode, stderr]).toEqual([
        command,
        3,
        expect.stringContaining('No testbed'),
      ])
    }
  })
})

describe('testbed open and demo', () => {
  it.each([
    [['open'], '/'],
    [['open', 'registries'], '/registries'],
    [['demo'], '/tour'],
  ])('%j prints a link that opens its page once', async (args, path) => {
    const { stdout } = await run(...args, '--print')
    const first = await fetch(stdout.trim(), { redirect: 'manual' })
    const [page] = first.headers.get('location')?.split('#') ?? []
    expect([first.status, page]).toEqual([303, path])
    expect((await fetch(stdout.trim(), { redirect: 'manual' })).status).toBe(401)
  })

  it('do not lead to another origin', async () => {
    for (const page of ['//evil.example', '/\\evil.example']) {
      const { exitCode, stdout, stderr } = await run('open', page, '--print')
      const refusal = expect.stringMatching(/has no page ".+"\./)
      expect([page, exitCode, stdout, stderr]).toEqual([page, 2, '', refusal])
    }
    const link = new URL(testbed.testbed.createConsoleLink())
    link.searchParams.set('to', '//evil.example/')
    const opened = await fetch(link, { redirect: 'manual' })
    expect(opened.headers.get('location')).toMatch(/^\/#key=/)
  })

  it('print only a link over SSH', async () => {
    process.env.SSH_CONNECTION = '192.0.2.1 50000 192.0.2.2 22'
    onTestFinished(() => {
      delete process.env.SSH_CONNECTION
    })
    expect((await run('open')).stderr).toBe('')
  })
})
