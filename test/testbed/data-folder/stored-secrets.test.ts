import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { linkOf } from '#test/support/login-system.ts'
import { openLogin, openTestbedForTest } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const issuedSecrets =
  /"(access_token|refresh_token|id_token|acceptance_token|c_nonce|credential|preauth_code|pre-authorized_code|pin)":"([^"]+)"/g

/** A `fetch` that remembers the secrets in the responses. */
function createRecorder() {
  const secrets = new Map<string, string>()
  const add = (value: string, name: string) => secrets.set(decodeURIComponent(value), name)
  const recording: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const text = await response.clone().text()
    for (const [, name = '', value = ''] of text.matchAll(issuedSecrets)) add(value, name)
    for (const [, value = ''] of text.matchAll(/response_code=([\w-]+)/g))
      add(value, 'response code')
    const code = response.headers.get('location')?.match(/[?&](?:code|response_code)=([^&]+)/)?.[1]
    if (code !== undefined) add(code, 'code')
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      // Those of an interaction hold the id in its pages' addresses; the signature is what counts.
      if (value !== '' && !/_(interaction|resume)$/.test(name)) add(value, `cookie ${name}`)
    }
    return response
  }
  return { secrets, add, fetch: recording }
}

/** The names of the secrets that a file of the folder holds, and in which. */
function findSecrets(folder: string, secrets: ReadonlyMap<string, string>): string[] {
  const names = readdirSync(folder, { recursive: true }) as string[]
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  expect(files).toEqual(
    expect.arrayContaining(['pre/idp.sqlite', 'pre/connector.sqlite', 'pre/verifier.sqlite']),
  )
  return files.flatMap((name) => {
    const bytes = readFileSync(join(folder, name))
    return [...secrets].flatMap(([secret, what]) =>
      bytes.includes(secret) ? [`${what} in ${name}`] : [],
    )
  })
}

it('does not store the secrets that it issues', async () => {
  const dataFolder = createTemporaryFolder()
  const { testbed, file, pre } = await openTestbedForTest({ dataFolder })
  const { control } = file
  const recorder = createRecorder()
  const { secrets } = recorder

  const wallet = createWallet({ http: { allowPrivateAddresses: true, fetch: recorder.fetch } })
  for (const offer of [
    // A PIN of six digits would occur by chance in the hex of the journal.
    { tx_code: { length: 32, input_mode: 'text', description: 'PIN' }, by: 'reference' },
    { deferred_seconds: 0, by: 'value' },
  ]) {
    const answer = await recorder.fetch(`${control.url}/pre/offers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${control.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(offer),
    })
    const { offer_uri, pin } = (await answer.json()) as { offer_uri: string; pin?: string }
    const [, code = ''] =
      decodeURIComponent(offer_uri).match(/"pre-authorized_code":"([^"]+)"/) ?? []
    if (code !== '') recorder.add(code, 'pre-authorized code')
    await acceptOffer(wallet, offer_uri, { getPin: async () => pin })
  }

  const { clientId, clientSecret, redirectUri } = pre.oidcClient
  const discovered = await fetch(`${pre.idpBaseUrl}/.well-known/openid-configuration`)
  const endpoints = (await discovered.json()) as Record<string, string>
  const browser = createHttpBrowser([redirectUri], {}, recorder.fetch)
  const login = await openLogin(pre, browser)
  await present(wallet, linkOf(login), environmentTrust({ environment: pre }, wallet))
  const { url } = await browser.get(login.url)
  const code = new URL(url).searchParams.get('code') ?? ''
  const askTokens = async (members: Record<string, string>) => {
    const answer = await recorder.fetch(endpoints.token_endpoint ?? '', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams(members),
    })
    return (await answer.json()) as { refresh_token: string }
  }
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  const { refresh_token } = await askTokens(grant)
  await askTokens({ grant_type: 'refresh_token', refresh_token })

  const names = [...secrets.values()]
  for (const name of [
    'access_token',
    'acceptance_token',
    'c_nonce',
    'credential',
    'code',
    'pin',
    'response code',
  ]) {
    expect(names).toContain(name)
  }
  expect(names.filter((name) => name === 'refresh_token').length).toBeGreaterThan(0)
  expect(findSecrets(dataFolder, secrets)).toEqual([])
  await testbed.close()
  expect(findSecrets(dataFolder, secrets)).toEqual([])
})
