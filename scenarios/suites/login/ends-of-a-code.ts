import { obtainCredential } from '#scenarios/fixtures/accept-offer.ts'
import {
  awaitLoginState,
  awaitRedirect,
  openLogin,
  scanPage,
} from '#scenarios/fixtures/browser-login.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'
import { attachScreenshot } from '../../fixtures/browser-login.ts'

/** Document 1, Limits: QR_EXPIRATION_TIME, default 300 seconds. */
const qrExpirationSeconds = 300

export const scenario = defineScenario({
  id: 'login/ends-of-a-code',
  title: "A login's page says how each of its codes ended, and goes on with a new one",
  category: 'Login',
  usesBrowser: true,
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
One login, three codes, one browser that never leaves the page:

1. a wallet answers the first one with another nonce: the page says that it *failed*, and why,
2. nobody scans the second one for \`QR_EXPIRATION_TIME\`: the page says that it *expired*,
3. a wallet answers the third one as it should: the page says that it *succeeded* and leads back.

The report shows the page in each state, and on a phone in Spanish.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, rows 5 to 7' },
    { document: 'Document 1', section: 'Limits, row 1' },
    { document: 'Assumptions', section: 'A-30, A-31' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, environment, control } = context
    const { oidcClient, idpBaseUrl } = environment
    const wallet = context.createWallet()
    const faulty = context.createWallet({ faults: findFaults(['presentation-wrong-nonce']) })

    await step('Two wallets hold a credential each', async () => {
      await obtainCredential(context, wallet)
      await obtainCredential(context, faulty)
    })
    const relyingParty = await step('The relying party discovers the IDP', () =>
      createRelyingParty(context, {
        caller: 'relying-party',
        issuerUrl: idpBaseUrl,
        client: oidcClient,
        scope: 'openid openid-vp-lear',
      }),
    )
    const login = await step('It sends a browser there', () =>
      openLogin(context, relyingParty.authorizationUrl, oidcClient.redirectUri),
    )
    const { page } = login
    await step('The same page on a phone, in Spanish', async () => {
      await page.setViewport({ width: 390, height: 844 })
      await page.setExtraHTTPHeaders({ 'accept-language': 'es' })
      await page.reload()
      await attachScreenshot(context, 'Page on a phone', page, { fullPage: true })
      await page.setViewport({ width: 900, height: 900 })
      await page.setExtraHTTPHeaders({ 'accept-language': 'en' })
      await page.reload()
    })
    await step('A wallet answers with another nonce: the page says that it failed', async () => {
      await presentCredential(context, faulty, await scanPage(context, page, 'First code'))
      expectMatch(
        'the reason',
        await awaitLoginState(context, page, 'failed'),
        /not a valid answer/,
      )
    })
    await step('Nobody scans the next code in time: the page says that it expired', async () => {
      await Promise.all([page.waitForNavigation(), page.click('#renew')])
      await scanPage(context, page, 'Second code')
      await control.advanceClock(qrExpirationSeconds + 1)
      expectMatch('what it says', await awaitLoginState(context, page, 'expired'), /expired/)
    })
    await step('The third one succeeds: the page says so', async () => {
      await Promise.all([page.waitForNavigation(), page.click('#renew')])
      await presentCredential(context, wallet, await scanPage(context, page, 'Third code'))
      expectMatch('what it says', await awaitLoginState(context, page, 'success'), /accepted/)
    })
    const address = await step('The browser is led back with a code', () =>
      awaitRedirect(context, login),
    )
    const tokens = await step('The relying party trades it for tokens', () =>
      relyingParty.redeem(address),
    )
    expectTrue('there is an id_token', tokens.idToken !== '', tokens)
  },
})
