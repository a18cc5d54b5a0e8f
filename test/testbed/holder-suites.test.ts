import { describe, expect, it, onTestFinished } from 'vitest'
import type { HolderSuite } from '#core/crypto/suites.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { postJson } from '#test/support/issuance.ts'
import { linkOf, sessionOf } from '#test/support/login-system.ts'
import { startTestbed } from '#testbed/library/start-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

async function start(holderSuites?: readonly HolderSuite[]) {
  const testbed = await startTestbed({ ...(holderSuites && { holderSuites }) })
  onTestFinished(() => testbed.close())
  const { control, environments } = testbed.file
  if (!environments.pre) throw new Error('there is no environment pre')
  const headers = { authorization: `Bearer ${control.token}` }
  return {
    pre: environments.pre,
    offer: async () =>
      String((await postJson(`${control.url}/pre/offers`, {}, headers)).body.offer_uri),
  }
}

const createP256Wallet = (didMethod: 'key' | 'jwk') =>
  createWallet({
    account: createAccount({ curve: 'P-256', didMethod }),
    http: { allowPrivateAddresses: true },
  })

describe('a wallet with a key of P-256', () => {
  it('obtains a credential and signs in where holders may have ES256', async () => {
    const { pre, offer } = await start(['ES256K', 'ES256', 'EdDSA'])
    for (const didMethod of ['key', 'jwk'] as const) {
      const wallet = createP256Wallet(didMethod)
      const resolveDidDocument = createDidResolver(wallet.http, () => pre.didRegistryBaseUrl)
      const accepted = await acceptOffer(wallet, await offer(), { resolveDidDocument })
      expect(accepted.flatMap(({ verdict }) => verdict.failures)).toEqual([])

      const { clientId, redirectUri } = pre.oidcClient
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid openid-vp-lear',
      })
      const page = await createHttpBrowser([redirectUri]).get(
        `${pre.idpBaseUrl}/accounts/authorize?${query}`,
      )
      await present(wallet, linkOf(page), { resolveDidDocument })
      const status = await fetch(
        `${pre.idpBaseUrl}/idp/api/auth/requests?session=${sessionOf(page)}`,
      )
      expect(await status.json(), didMethod).toEqual({ status: 'SUCCESS' })
    }
  })

  it('is not offered anything by default', async () => {
    const { offer } = await start()
    await expect(acceptOffer(createP256Wallet('key'), await offer())).rejects.toMatchObject({
      code: 'unsupported_offer',
    })
  })
})
