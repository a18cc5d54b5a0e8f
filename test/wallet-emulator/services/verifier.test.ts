import { describe, expect, it } from 'vitest'
import { startVerifier } from '#test/support/verifier.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet, type WalletOptions } from '#wallet-emulator/create-wallet.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

/** A verifier, a wallet with a credential that it accepts, and a session of the verifier's. */
async function startLogin(options: WalletOptions = {}, session: object = {}) {
  const verifier = await startVerifier()
  const { world, servers, runtime } = verifier
  const wallet = createWallet({
    http: { allowPrivateAddresses: true },
    now: runtime.clock.seconds,
    ...options,
  })
  await wallet.store.addCredential({
    id: '0123456789abcdef',
    format: 'jwt_vc_json',
    credential: world.issue(world.credentialPayload(wallet.account.did)),
    credentialIssuer: 'https://issuer.example',
    receivedAt: world.now,
  })
  const resolveDidDocument = createDidResolver(wallet.http, () => servers.baseUrl)
  const started = await verifier.createSession(session)
  return {
    verifier,
    answer: () => present(wallet, started.authorization_request, { resolveDidDocument }),
    verdict: async () => {
      const { status, explanation } = await verifier.inspect(started)
      const failures = (explanation?.failures ?? []) as { rule: string }[]
      return { status, rules: [...new Set(failures.map(({ rule }) => rule))] }
    },
  }
}

describe('the wallet at our verifier', () => {
  it.each([
    ['secp256k1', 'key'],
    ['secp256k1', 'jwk'],
    ['Ed25519', 'key'],
    ['Ed25519', 'jwk'],
  ] as const)('logs in with %s and did:%s', async (curve, didMethod) => {
    const { answer, verdict } = await startLogin({ account: createAccount({ curve, didMethod }) })
    const presented = await answer()
    expect(presented.request.signed).toBe(true)
    expect(await verdict()).toEqual({ status: 'SUCCESS', rules: [] })
  })

  it('is sent on with a response code', async () => {
    const { answer } = await startLogin({}, { redirect_uri: 'http://127.0.0.1:4006/done' })
    expect((await answer()).redirectUri).toMatch(
      /^http:\/\/127\.0\.0\.1:4006\/done\?response_code=[\w-]{22,}$/,
    )
  })

  it('answers a request by value too', async () => {
    const { answer, verdict, verifier } = await startLogin({}, { delivery: 'value' })
    const presented = await answer()
    expect(presented.request.signed).toBe(false)
    expect(presented.request.request.clientId).toBe(verifier.config().verifierDid)
    expect((await verdict()).status).toBe('SUCCESS')
  })

  it('has nothing for another type', async () => {
    const { answer, verdict } = await startLogin({}, { credential_type: 'DrivingLicence' })
    await expect(answer()).rejects.toMatchObject({ code: 'no_matching_credential' })
    expect((await verdict()).status).toBe('PENDING')
  })

  it('is told that a request has expired', async () => {
    const { answer, verifier } = await startLogin()
    verifier.runtime.advance(301)
    await expect(answer()).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { answer: { status: 410, errorDescription: expect.any(String) } },
    })
  })
})
