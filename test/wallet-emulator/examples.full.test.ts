import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { drawQr, readQrPng, toJpeg } from '#test/support/images.ts'
import { runNode } from '#test/support/processes.ts'
import { openLogin, openTestbedForTest } from '#test/support/running-testbed.ts'
import { startIssuerCounterpart } from '#test/support/start-issuer-counterpart.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { startVerifierCounterpart } from '#test/support/verifier-counterparts.ts'

const examples = join(import.meta.dirname, 'examples')

const runExample = (name: string, ...args: string[]) => runNode([join(examples, name), ...args])

describe('the examples of the wallet', () => {
  it('accept a credential from a picture and present it', async () => {
    const issuer = await startIssuerCounterpart({ pin: '493536' })
    const answer = '{"redirect_uri": "https://portal.example/done"}'
    const verifier = await startVerifierCounterpart({ answer })
    const picture = join(createTemporaryFolder(), 'screenshot.jpg')
    writeFileSync(picture, toJpeg(await drawQr(issuer.offerByReference())))
    const { exitCode, stdout } = await runExample(
      'accept-and-present.ts',
      picture,
      verifier.linkByValue(),
    )
    expect(exitCode).toBe(0)
    expect(stdout).toContain('pin-requested\n')
    expect(stdout).toMatch(/^accepted-with-warnings [0-9a-f]{16}$/m)
    expect(stdout).toContain(`${verifier.baseUrl} gets `)
    expect(stdout).toContain('Continue at https://portal.example/done')
    expect(verifier.forms).toHaveLength(1)
  })

  it('encrypt a wallet with a passphrase', async () => {
    const wallet = join(createTemporaryFolder(), 'alice')
    const first = await runExample('keep-a-wallet.ts', wallet, 'correct horse')
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^did:jwk:/) })
    expect((await runExample('keep-a-wallet.ts', wallet, 'correct horse')).stdout).toBe(
      first.stdout,
    )
    const wrong = await runExample('keep-a-wallet.ts', wallet, 'wrong')
    expect(wrong.exitCode).toBe(1)
    expect(wrong.stderr).toContain('wrong_passphrase')
  })

  it('name the rules that a credential breaks', async () => {
    const { baseUrl, did, ...issuer } = await startIssuerCounterpart()
    const { exitCode, stdout } = await runExample(
      'verify-received-credential.ts',
      issuer.offerByValue(),
      baseUrl,
      `${baseUrl}/trusted-issuers-registry`,
      did,
    )
    expect(exitCode).toBe(0)
    expect(stdout).toContain('credential_rejected')
    expect(stdout).toContain("rule: 'credential.terms-of-use'")
  })

  it('show the rejection of a deviation', async () => {
    const issuer = await startIssuerCounterpart()
    const { stdout } = await runExample('deviate.ts', issuer.offerByValue())
    expect(stdout).toContain('credential_refused')
    expect(stdout).toContain("error: 'invalid_proof'")
  })

  it('work with `npm start` unchanged', async () => {
    const { pre, order } = await openTestbedForTest()
    const { didRegistryBaseUrl, tirBaseUrl, trustChain } = pre
    const registries = [didRegistryBaseUrl, tirBaseUrl, trustChain.rootTao.did]

    const verified = await runExample('verify-received-credential.ts', await order(), ...registries)
    expect(verified).toMatchObject({ exitCode: 0, stderr: '' })
    expect(verified.stdout).toContain("verdict: 'accepted'")
    expect(verified.stdout).toContain('failures: []')

    const browser = createHttpBrowser([pre.oidcClient.redirectUri])
    const page = await openLogin(pre, browser)
    const picture = join(createTemporaryFolder(), 'screenshot.jpg')
    writeFileSync(picture, toJpeg(await drawQr(await order({ by: 'reference' }))))
    const [, qr = ''] = page.text.match(/src="data:image\/png;base64,([^"]+)"/) ?? []
    const request = readQrPng(Buffer.from(qr, 'base64'))
    const presented = await runExample('accept-and-present.ts', picture, request, ...registries)
    expect(presented).toMatchObject({ exitCode: 0, stderr: '' })
    const [, address = ''] = presented.stdout.match(/^Continue at (\S+)$/m) ?? []
    expect((await browser.get(address)).url).toMatch(/\/callback\/pre\/relying-party\?code=/)

    const deviated = await runExample('deviate.ts', await order())
    expect(deviated.stdout).toContain("error: 'invalid_proof'")
  })
})
