import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { hexlify, Wallet } from 'ethers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createLog } from '#kit/log.ts'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { createHttpClient } from '#scenarios/harness/http-client.ts'
import { createMailbox } from '#scenarios/harness/mailbox.ts'
import { capabilities } from '#scenarios/harness/z-testbed-file.ts'
import { callRpc, createTestAccount, startTestChain, testChainId } from '#test/support/chain.ts'
import { linkOf } from '#test/support/login-system.ts'
import { openTestbedForTest, openTestbedState } from '#test/support/running-testbed.ts'
import { requestAs } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { findPortOwner } from '#testbed/process/listen.ts'
import { serviceParts } from '#testbed/process/ports.ts'
import { createDeployment } from '#testbed/registries/deploy-contracts.ts'
import { createEnvironmentKeys } from '#testbed/registries/environment-keys.ts'
import type { TestbedOptions } from '#testbed/services/options.ts'
import { startTestbed } from '#testbed/start-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const RealDate = Date

const readTestbedFile = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'testbed.json'), 'utf8'))

describe('startTestbed', () => {
  it('closes everything that it opened, also if called twice', async () => {
    const { testbed } = await openTestbedForTest()
    const { consoleUrl, environments } = testbed.file
    await Promise.all([testbed.close(), testbed.close()])
    for (const url of [
      consoleUrl,
      environments.pre?.issuerBaseUrl,
      environments.pre?.chain.rpcUrl,
    ]) {
      await expect(fetch(url ?? '')).rejects.toThrow()
    }
    expect(Date).toBe(RealDate)
  })

  it.each([
    [false, -32000],
    [true, undefined],
  ])('accepts transactions to other contracts if openRpc is %s', async (openRpc, code) => {
    const { testbed } = await openTestbedForTest({ openRpc })
    const { rpcUrl = '', didRegistryAddress } = testbed.file.environments.pre?.chain ?? {}
    const account = createTestAccount()
    const send = async (nonce: number, members: object) =>
      callRpc(rpcUrl, 'eth_sendRawTransaction', await account.sign(nonce, members))
    const creation = await send(0, { to: null, data: '0x602a60005260206000f3' })
    expect(creation.error?.code).toBe(code)
    const nonce = await callRpc(rpcUrl, 'eth_getTransactionCount', account.address, 'latest')
    const allowed = await send(Number(nonce.result), { to: didRegistryAddress })
    expect(allowed.error).toBeUndefined()
  })

  it('runs both environments side by side, each with its own chain, DIDs and keys', async () => {
    const { testbed } = await openTestbedForTest({ environments: ['pre', 'pro'] })
    const { pre, pro } = testbed.file.environments
    expect(pre?.didPrefix).toBe('did:org:uc-pre:')
    expect(pro?.didPrefix).toBe('did:org:uc:')
    expect(pro?.trustChain.issuer.did).toMatch(/^did:org:uc:z1/)
    expect([pre?.chain.chainId, pro?.chain.chainId]).toEqual(['0x4f25', '0x4f26'])
    expect(pro?.apiKeys).not.toEqual(pre?.apiKeys)
    const read = async (environment: typeof pre, did: string | undefined) =>
      (await fetch(`${environment?.didRegistryBaseUrl}/api/v1/identifiers/${did}`)).status
    expect(await read(pro, pro?.trustChain.issuer.did)).toBe(200)
    expect(await read(pre, pro?.trustChain.issuer.did)).not.toBe(200)
  })

  it('gives wallets the public address', async () => {
    const { pre, order } = await openTestbedForTest({ publicUrl: 'http://localhost' })
    for (const url of [pre?.issuerBaseUrl, pre?.credentialIssuerUrl, pre?.verifierBaseUrl]) {
      expect(new URL(url ?? '').hostname).toBe('localhost')
    }
    expect(decodeURIComponent(await order())).toContain(`"${pre?.credentialIssuerUrl}"`)
    // Never from the Host header.
    const { port } = new URL(pre?.credentialIssuerUrl ?? '')
    const path = '/.well-known/openid-credential-issuer'
    const metadata = await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    expect(metadata).toContain('http://localhost:')
    expect(metadata).not.toContain('127.0.0.1')
  })

  it('answers only to its own host names if a web page could read the response', async () => {
    const { testbed } = await openTestbedForTest({
      publicUrl: 'http://localhost',
      allowedHosts: ['testbed'],
    })
    const { consoleUrl, mail, environments } = testbed.file
    const { pre } = environments
    const json = { 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    const requests: [string, object, string?][] = [
      [`${mail.apiUrl}/api/v2/messages`, { method: 'GET' }],
      [`${mail.apiUrl}/`, { method: 'GET' }],
      [pre?.chain.rpcUrl ?? '', { method: 'POST', headers: json }, body],
      [`${consoleUrl}/health`, { method: 'GET' }],
      ...[
        mail.apiUrl,
        consoleUrl,
        pre?.issuerBaseUrl,
        pre?.tirBaseUrl,
        pre?.didRegistryBaseUrl,
      ].map((url): [string, object] => [`${url}/metrics`, { method: 'GET' }]),
    ]
    for (const [url, options, sent] of requests) {
      const { port } = new URL(url)
      const statusFor = (host: string) => requestAs(host, url, options, sent)
      for (const name of ['localhost', 'testbed', '127.0.0.1', '[::1]', '192.168.1.20']) {
        expect(await statusFor(`${name}:${port}`), `${url} as ${name}`).toBe(200)
      }
      for (const name of [
        'evil.example',
        'localhost.evil.example',
        'testbed.evil',
        '127.0.0.1.a',
      ]) {
        expect(await statusFor(`${name}:${port}`), `${url} as ${name}`).toBe(403)
      }
    }
  })

  it('starts on an IPv6 address, where emails arrive as well', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each = []) => each)
    const starting = openTestbedForTest({ bind: '::1' })
    if (!addresses.some(({ address }) => address === '::1')) {
      // A machine without IPv6.
      return expect(starting).rejects.toMatchObject({ code: 'port_refused' })
    }
    const { file } = await starting
    const { sendMail } = await openTestbedState(file)
    await sendMail('over IPv6')
    const { signal } = new AbortController()
    const http = createHttpClient({ caller: 'test', scenarioId: () => 'test', signal })
    const mailbox = createMailbox(http, file.mail.apiUrl, signal)
    expect(await mailbox.list('b@test.example')).toMatchObject([{ subject: 'over IPv6' }])
  })

  it('serves everything below the issuer’s address to wallets that know only this address', async () => {
    const { testbed, pre, order } = await openTestbedForTest()
    const issuer = pre.issuerBaseUrl
    expect(pre.credentialIssuerUrl).toBe(issuer)
    const path = '/.well-known/openid-credential-issuer'
    const metadata = await (await fetch(`${issuer}${path}`)).json()
    expect(metadata).toMatchObject({ credential_issuer: issuer, token_endpoint: `${issuer}/token` })

    const wallet = createWallet({ http: { allowPrivateAddresses: true } })
    await acceptOffer(wallet, await order())
    // Diagrams have each exchange once: from the wallet to the connector behind the issuer.
    const hops = await testbed.readTraces(0)
    const taken = hops.filter(({ url }) => /^\/(token|credential)$/.test(url))
    expect(taken.map(({ from, to, url }) => [from, to, url])).toEqual([
      ['wallet', 'connector', '/token'],
      ['wallet', 'connector', '/credential'],
    ])
  })

  it('works behind a proxy that serves its public address over HTTPS', async () => {
    const { file, pre } = await openTestbedForTest({ publicUrl: 'https://testbed.example' })
    const { control } = file
    const throughProxy: typeof fetch = (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      expect(url.origin).toMatch(/^https:\/\/testbed\.example:\d+$/)
      return fetch(`http://127.0.0.1:${url.port}${url.pathname}${url.search}`, init)
    }
    const wallet = createWallet({ http: { allowPrivateAddresses: true, fetch: throughProxy } })
    const trust = environmentTrust({ environment: pre }, wallet)
    const offered = await throughProxy(`${control.url}/pre/offers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${control.token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    const { offer_uri } = (await offered.json()) as { offer_uri: string }
    const [accepted] = await acceptOffer(wallet, offer_uri, trust)
    expect(accepted?.verdict.verdict).toBe('accepted')

    // From the portal over the token issuer, its broker and the IDP to the verifier, and back.
    const { clientId, redirectUri } = pre.tokenIssuerClient
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: 'a-state',
    })
    const discovery = `${pre.tokenIssuerBaseUrl}/.well-known/openid-configuration`
    const { authorization_endpoint } = (await (await throughProxy(discovery)).json()) as {
      authorization_endpoint: string
    }
    const browser = createHttpBrowser([redirectUri], {}, throughProxy)
    const choice = await browser.get(`${authorization_endpoint}?${query}`)
    const [, path = ''] = choice.text.match(/href="(\/broker\/[^"]+)"/) ?? []
    const login = await browser.get(new URL(path.replaceAll('&amp;', '&'), choice.url).href)
    await present(wallet, linkOf(login), trust)
    expect((await browser.get(login.url)).url).toMatch(/\/callback\/pre\/portal\?code=/)
  })

  it('gives only the owner access to its data folder, regardless of modes and umask', async () => {
    const umask = process.umask(0)
    onTestFinished(() => void process.umask(umask))
    const dataFolder = createTemporaryFolder()
    const list = () =>
      ['.', ...(readdirSync(dataFolder, { recursive: true }) as string[])].map((name) => {
        const found = statSync(join(dataFolder, name))
        return { name, isFolder: found.isDirectory(), mode: found.mode & 0o777 }
      })
    const open = () => list().filter(({ isFolder, mode }) => mode !== (isFolder ? 0o700 : 0o600))
    chmodSync(dataFolder, 0o755)
    const { testbed } = await openTestbedForTest({ dataFolder })
    expect(list().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['pre', 'testbed.json', 'mail.sqlite-wal', 'pre/chain.journal']),
    )
    expect(open()).toEqual([])
    await testbed.close()
    // As version 0.1.0 left them.
    for (const { name, isFolder } of list()) {
      chmodSync(join(dataFolder, name), isFolder ? 0o755 : 0o644)
    }
    await openTestbedForTest({ dataFolder })
    expect(open()).toEqual([])
  })

  it('keeps the files of the next testbed if its data folder was deleted', async () => {
    const dataFolder = join(createTemporaryFolder(), 'data')
    const first = await openTestbedForTest({ dataFolder })
    rmSync(dataFolder, { recursive: true })
    await first.testbed.close()
    expect(existsSync(dataFolder)).toBe(false)

    const second = await openTestbedForTest({ dataFolder })
    rmSync(dataFolder, { recursive: true })
    const third = await openTestbedForTest({ dataFolder })
    await second.testbed.close()
    expect(readTestbedFile(dataFolder)).toEqual(third.testbed.file)
    await third.testbed.close()
    await openTestbedForTest({ dataFolder })
  })

  it('works on a third-party chain, and reports what it cannot control there', async () => {
    const chain = await startTestChain({ chainId: 31337 })
    onTestFinished(() => chain.close())
    const { testbed, control } = await openTestbedForTest({
      chainRpcUrl: chain.rpcUrl,
      seed: 'foreign',
    })
    const { pre } = testbed.file.environments
    expect(pre?.chain).toMatchObject({ rpcUrl: chain.rpcUrl, chainId: '0x7a69' })
    expect(Object.keys(pre?.limits ?? {}).sort()).toEqual([...capabilities].sort())
    expect((await control('/clock')).status).toBe(200)
    expect((await control('/clock', { json: { advance_seconds: 1 } })).status).toBe(409)
    expect((await control('/clock', { method: 'DELETE' })).status).toBe(409)
    expect((await control('/pre/mining', { method: 'PUT', json: { mode: 'manual' } })).status).toBe(
      409,
    )
    expect((await control('/pre/mining', { method: 'POST' })).status).toBe(409)
    const refused = await control('/snapshots', { method: 'POST' })
    expect([refused.status, refused.body.error]).toEqual([409, 'foreign_chain'])
    await testbed.close()
    // The same seed finds its contracts and its trust chain there again.
    const block = (await chain.mine()).number
    const { testbed: again } = await openTestbedForTest({
      chainRpcUrl: chain.rpcUrl,
      seed: 'foreign',
    })
    expect(again.file.environments.pre?.trustChain).toEqual(pre?.trustChain)
    expect((await chain.mine()).number).toBe(block + 1)
  })

  it('rejects registries that another version deployed, and says how to recover', async () => {
    const dataFolder = createTemporaryFolder()
    const seed = 'other version'
    const journalPath = join(dataFolder, 'pre', 'chain.journal')
    const chain = await startTestChain({ journalPath })
    const { operator, onboardingNode } = createEnvironmentKeys(seed, 'pre')
    const deployment = await createDeployment({
      operator,
      didPrefix: 'did:org:uc-pre:',
      onboardingNode: onboardingNode.address,
    })
    const wallet = new Wallet(operator.privateKey)
    for (const [nonce, { to, data }] of deployment.entries()) {
      const raw = await wallet.signTransaction({
        chainId: testChainId,
        gasLimit: 15_000_000,
        gasPrice: 0,
        nonce,
        ...(to === undefined ? {} : { to }),
        // The version of the compiler in the metadata: the smallest difference that there is.
        data: hexlify(data).replace('736f6c6343000825', '736f6c6343000824'),
      })
      await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', raw)
    }
    const log = createLog({ level: 'silent' })
    const refusalOf = (options: TestbedOptions) =>
      startTestbed({ log, seed, ...options }).catch((thrown) => thrown)
    const onForeignChain = await refusalOf({ chainRpcUrl: chain.rpcUrl })
    expect(onForeignChain).toMatchObject({ code: 'contracts_outdated' })
    expect([onForeignChain.message, ...onForeignChain.hints].join('\n')).toContain(chain.rpcUrl)
    await chain.close()
    // The folder is complete, so that its chain is what it is refused for.
    writeFileSync(
      join(dataFolder, 'secrets.json'),
      JSON.stringify({ version: 1, seed, secrets: {} }),
    )
    for (const part of serviceParts) writeFileSync(join(dataFolder, 'pre', `${part}.sqlite`), '')
    const onItsOwn = await refusalOf({ dataFolder })
    expect(onItsOwn).toMatchObject({ code: 'contracts_outdated' })
    expect(onItsOwn.message).toContain(journalPath)
    expect(onItsOwn.hints.join('\n')).toContain(`testbed reset --data ${dataFolder}`)
  })

  it('says so if the third-party chain does not respond', async () => {
    const error = await startTestbed({ chainRpcUrl: 'http://127.0.0.1:9' }).catch(
      (thrown) => thrown,
    )
    expect(isTestbedError(error) && error.code).toBe('chain_unavailable')
  })

  it.runIf(process.platform === 'linux')('reports that its chain ended unexpectedly', async () => {
    const { testbed, pre } = await openTestbedForTest()
    // The chain's process is the only child of this one that listens on that port.
    const owner = findPortOwner(Number(new URL(pre.chain.rpcUrl).port))
    process.kill(owner?.pid ?? 0, 'SIGKILL')
    expect((await testbed.broken).code).toBe('chain_failed')
  })
})
