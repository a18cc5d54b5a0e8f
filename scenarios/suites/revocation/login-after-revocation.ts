import { awaitRecord } from '#scenarios/fixtures/await-record.ts'
import { awaitRedirect } from '#scenarios/fixtures/await-redirect.ts'
import { firstOrganization } from '#scenarios/fixtures/first-organization.ts'
import { obtainCredential } from '#scenarios/fixtures/obtain-credential.ts'
import { type OpenedLogin, openLogin } from '#scenarios/fixtures/open-login.ts'
import { presentCredential } from '#scenarios/fixtures/present-credential.ts'
import { readSessionStatus } from '#scenarios/fixtures/read-session-status.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { scanPage } from '#scenarios/fixtures/scan-page.ts'
import type { ScenarioContext } from '#scenarios/harness/context.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { eventually } from '#scenarios/harness/eventually.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import { attachScreenshot } from '../../fixtures/attach-screenshot.ts'

/** One login up to the wallet's post. */
async function presentInBrowser(context: ScenarioContext, wallet: Wallet, name: string) {
  const { oidcClient, idpBaseUrl } = context.environment
  const relyingParty = await createRelyingParty(context, {
    caller: 'relying-party',
    issuerUrl: idpBaseUrl,
    client: oidcClient,
    scope: 'openid openid-vp-lear',
  })
  const login = await openLogin(context, relyingParty.authorizationUrl, oidcClient.redirectUri)
  await presentCredential(context, wallet, await scanPage(context, login.page, name))
  return login
}

/** The session ends as failed, the page says why, and the relying party gets nothing. */
async function expectFailedLogin(context: ScenarioContext, login: OpenedLogin): Promise<void> {
  const { signal } = context
  let isBack = false
  void login.redirected.then(() => {
    isBack = true
  })
  const sessionCode = await login.sessionCode
  const end = async () => {
    const status = await readSessionStatus(context, sessionCode)
    return status === 'PENDING' ? undefined : status
  }
  const status = await eventually('the end of the session', end, { signal })
  expectEqual('the state of the session', status, 'FAILED')
  const alert = await login.page.waitForSelector('[role="alert"]', { visible: true })
  await attachScreenshot(context, 'Page of the refused login', login.page)
  expectMatch('what the page says', await alert?.evaluate((e) => e.textContent), /\w/)
  expectTrue('the browser was not sent back to the relying party', !isBack)
}

export const scenario = defineScenario({
  id: 'revocation/login-after-revocation',
  title: 'After its revocation a credential logs nobody in',
  category: 'Revocation',
  usesBrowser: true,
  algorithms: ['EdDSA'],
  description: `
A credential logs its holder in. Then its organization revokes it:

- the issuer confirms, and lists the record as \`revoked\`,
- revoking it again is refused with 400, an unknown one with 404.

The wallet presents it once more in a new login. The post is answered with 200, as every
presentation's, but the session is \`FAILED\`, the page says why, and the browser does not come back
with a code.`,
  references: [
    { document: 'Document 1', section: 'States and transitions' },
    { document: 'Document 1', section: 'Errors' },
    { document: 'Assumptions', section: 'A-21, A-22, A-23' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const { organizationIdentifier } = firstOrganization(context)
    const wallet = context.createWallet()

    const { credential, bearerToken } = await step('A wallet holds a credential', () =>
      obtainCredential(context, wallet),
    )
    const { credentialId } = credential
    const revoke = (id: string) =>
      httpAs('portal').request(`${environment.issuerBaseUrl}/issuance/credential/revoke`, {
        json: { credential_id: id },
        headers: { authorization: `Bearer ${bearerToken}` },
      })

    await step('It logs its holder in', async () => {
      const login = await presentInBrowser(context, wallet, 'Page with the QR, before')
      const address = await awaitRedirect(context, login)
      expectTrue('the browser is back with a code', address.searchParams.has('code'))
    })
    await step('The organization revokes it', async () => {
      expectEqual(
        'the confirmed status',
        expectJson(await revoke(credentialId), 200).status,
        'revoked',
      )
    })
    await step('The issuer lists it as revoked', () => {
      const record = {
        bearerToken,
        organizationIdentifier,
        credentialId,
        status: 'revoked',
      } as const
      return awaitRecord(context, record)
    })
    await step('It is revoked once only, and an unknown one not at all', async () => {
      expectStatus(await revoke(credentialId), 400)
      expectStatus(await revoke(`urn:uuid:${crypto.randomUUID()}`), 404)
    })
    const login = await step('The wallet presents it in a new login', () =>
      presentInBrowser(context, wallet, 'Page with the QR, after'),
    )
    await step('The login fails, and the page says so', () => expectFailedLogin(context, login))
  },
})
