import { collectCredential, obtainCredential } from '#scenarios/fixtures/accept-offer.ts'
import { holdCredential } from '#scenarios/fixtures/held-credentials.ts'
import {
  authorizationUrlOf,
  beginLogin,
  beginLoginWithCredential,
} from '#scenarios/fixtures/log-in.ts'
import {
  attachScreenshot,
  awaitLoginState,
  awaitRedirect,
  openLogin,
  openLoginPage,
  readLoginPage,
  readSessionStatus,
  scanPage,
} from '#scenarios/fixtures/login-page.ts'
import {
  expectDegraded,
  expectUnwell,
  expectWell,
  whileBroken,
} from '#scenarios/fixtures/outages.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import {
  postPresentation,
  preparePresentation,
  presentCredential,
  presentRegardless,
} from '#scenarios/fixtures/presentations.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectMatch,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'

/** profile/issuer, Limits: QR_EXPIRATION_TIME, default 300 seconds. */
const qrExpirationSeconds = 300

const endsOfACode = defineScenario({
  id: 'login/ends-of-a-code',
  title: 'A login page shows how each code ended, and continues with a new code',
  usesBrowser: true,
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
One login, three codes, one browser that never leaves the page:

1. a wallet answers the first code with a wrong nonce: the page reports that it *failed*, and why,
2. the second code is not scanned within \`QR_EXPIRATION_TIME\`: the page reports that it *expired*,
3. a wallet answers the third code correctly: the page reports that it *succeeded* and leads back.

The report shows the page in each state, and on a phone in Spanish.`,
  references: cite(
    'Profile: 1.states-and-transitions.5..7',
    'Profile: 1.limits.1',
    'Assumptions: A-30, A-31',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, environment, control } = context
    const { oidcClient, idpBaseUrl } = environment
    const wallet = context.createWallet()
    const faulty = context.createWallet({ faults: findFaults(['presentation-wrong-nonce']) })

    await step('Each of two wallets holds a credential', async () => {
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
    await step('A wallet answers with a wrong nonce: the page reports that it failed', async () => {
      await presentCredential(context, faulty, await scanPage(context, page, 'First code'))
      expectMatch('the reason', await awaitLoginState(context, page, 'failed'), /invalid response/)
    })
    await step(
      'The next code is not scanned in time: the page reports that it expired',
      async () => {
        await Promise.all([page.waitForNavigation(), page.click('#renew')])
        await scanPage(context, page, 'Second code')
        await control.advanceClock(qrExpirationSeconds + 1)
        expectMatch(
          'the text of the page',
          await awaitLoginState(context, page, 'expired'),
          /expired/,
        )
      },
    )
    await step('The third code succeeds: the page reports it', async () => {
      await Promise.all([page.waitForNavigation(), page.click('#renew')])
      const link = await scanPage(context, page, 'Third code')
      const [text] = await Promise.all([
        awaitLoginState(context, page, 'success'),
        presentCredential(context, wallet, link),
      ])
      expectMatch('the text of the page', text, /accepted/)
    })
    const address = await step('The browser is led back with a code', () =>
      awaitRedirect(context, login),
    )
    const tokens = await step('The relying party exchanges it for tokens', () =>
      relyingParty.redeem(address),
    )
    expectTrue('there is an id_token', tokens.idToken !== '', tokens)
  },
})

const languages = defineScenario({
  id: 'login/languages',
  title: "A login's pages are in the user's language",
  algorithms: ['EdDSA'],
  description: `
The browser sends the preferred languages of its user. The page with the code and the error page are in
**Spanish** for a user who prefers it, in English for a user of unsupported languages, and in the
language of the relying party's \`ui_locales\` regardless of the browser.`,
  references: cite('OpenID Connect Core 1.0: 3.1.2.1, ui_locales', 'RFC 9110: 12.5.4'),

  async run(context) {
    const { step, environment } = context
    const { oidcClient, idpBaseUrl } = environment
    const wallet = context.createWallet()
    const open = async (language: string, uiLocales?: string) => {
      const { authorizationUrl } = await createRelyingParty(context, {
        caller: 'relying-party',
        issuerUrl: idpBaseUrl,
        client: oidcClient,
        scope: 'openid openid-vp-lear',
      })
      if (uiLocales) authorizationUrl.searchParams.set('ui_locales', uiLocales)
      return openLoginPage(context, authorizationUrl, oidcClient.redirectUri, {
        'accept-language': language,
      })
    }
    await step('A wallet holds a credential that has been revoked', async () => {
      const { credentialId } = await collectCredential(context, wallet)
      await revokeCredential(context, credentialId)
    })
    const login = await step('A user who reads Spanish gets a page in Spanish', async () => {
      const opened = await open('es-ES, es;q=0.9, en;q=0.8')
      expectMatch('the page', opened.page.text, /<html lang="es">/)
      expectMatch('the text of the page', opened.page.text, /Escanee este código con su cartera/)
      return opened
    })
    await step('The reason of a failure is in Spanish too', async () => {
      await presentRegardless(context, wallet, login.link)
      await login.awaitEnd('FAILED')
      expectMatch('the page', (await login.reload()).text, /Su credencial fue revocada/)
    })
    await step('A user of another language gets English', async () => {
      expectMatch('the page', (await open('fi')).page.text, /<html lang="en">/)
    })
    await step("The relying party's ui_locales takes precedence", async () => {
      expectMatch('the page', (await open('en', 'fr es')).page.text, /<html lang="es">/)
    })
  },
})

const renewedCode = defineScenario({
  id: 'login/renewed-code',
  title: 'After a failure, the same login continues with a new code',
  algorithms: ['EdDSA'],
  description: `
A request for a new code while the first one is still valid has no effect: the code stays the same. Then the
first code fails because of a credential without power, and the user asks again. The page shows a **new
code with a new session**. The old session stays \`FAILED\`, the new one succeeds, and the browser
returns to the relying party that began the login.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/verification-session',
    'Profile: 1.states-and-transitions.6, 1.states-and-transitions.7',
  ),

  async run(context) {
    const { step, control } = context
    const [wallet, powerless] = [context.createWallet(), context.createWallet()]
    await step('One wallet holds a valid credential, one a credential without power', async () => {
      const order = { defect: 'power-empty', holderDid: powerless.account.did }
      const { credential } = await control.createDefectiveCredential(order)
      await holdCredential(context, powerless, expectPresent('the credential', credential))
      await collectCredential(context, wallet)
    })
    const { relyingParty, login } = await step('A relying party begins a login', beginLogin)
    const renew = async () => {
      const page = await login.browser.submit(`${login.page.url}/renew`, {})
      return readLoginPage(context, login.browser, page)
    }
    await step('A valid code is not replaced', async () => {
      expectEqual('the session code', (await renew()).sessionCode, login.sessionCode)
    })
    await step('The code fails', async () => {
      await presentRegardless(context, powerless, login.link)
      await login.awaitEnd('FAILED')
    })
    const next = await step('The user asks for a new code and gets one', async () => {
      const renewed = await renew()
      expectTrue('the session is different', renewed.sessionCode !== login.sessionCode)
      expectTrue('the request is different', renewed.link !== login.link)
      return renewed
    })
    await step('The new one succeeds, and the old one stays failed', async () => {
      await presentCredential(context, wallet, next.link)
      await next.awaitEnd('SUCCESS')
      expectEqual('the old one', await readSessionStatus(context, login.sessionCode), 'FAILED')
    })
    await step('The browser is back at the relying party', async () =>
      relyingParty.redeem(await next.followRedirect()),
    )
  },
})

const failsClosed = defineScenario({
  id: 'login/fails-closed',
  title: 'Without the verification service or the database, the login page explains the outage',
  usesBrowser: true,
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
Without the verification service or the database there is no code to scan. A user who wants to log in sees
a server error in plain language, and \`/health\` names the unavailable service. The suite \`failures\`
covers these and all other outages without a screen; this scenario shows the pages.`,
  references: cite('Profile: 1.errors.9', 'Assumptions: A-25, A-29'),

  async run(context) {
    const { step, environment, browser } = context
    for (const [fault, expectHealth, missing] of [
      ['verifier-down', expectDegraded, 'verifier'],
      ['database-down', expectUnwell, '"db":"disconnected"'],
    ] as const) {
      await step(`A browser begins a login while ${fault}`, async () => {
        const { page } = await browser.open()
        await whileBroken(context, fault, async () => {
          await page.goto(authorizationUrlOf(context).href)
          const text = await awaitLoginState(context, page, 'error', `Page: ${fault}`)
          expectMatch('the text of the page', text, /currently unavailable/)
          await expectHealth(context, environment.idpBaseUrl, missing)
        })
        await expectWell(context, environment.idpBaseUrl)
      })
    }
  },
})

const cancelled = defineScenario({
  id: 'login/cancelled',
  title: 'A cancelled login returns access_denied and cannot continue',
  algorithms: ['ES256K'],
  description: `
A user cancels a login on the page with the code. The browser returns to the relying party with
\`error=access_denied\` and the relying party's own \`state\`, and without a code.

The wallet had scanned the code before and answers it **afterwards**: the session of the code stays
\`FAILED\`, and the page of the login no longer yields a code.`,
  references: cite('RFC 6749: 4.1.2.1', 'Profile: 1.endpoints/credential-idp'),

  async run(context) {
    const { step } = context
    const { wallet, relyingParty, login } = await beginLoginWithCredential(context)
    const late = await step('The wallet scans the code', () =>
      preparePresentation(context, wallet, login.link),
    )
    await step('The user cancels: the browser returns with access_denied', async () => {
      const { status, url } = await login.browser.submit(`${login.page.url}/cancel`, {})
      expectEqual('the status at the relying party', status, 0)
      const { searchParams } = new URL(url)
      expectEqual('error', searchParams.get('error'), 'access_denied')
      const state = relyingParty.authorizationUrl.searchParams.get('state')
      expectEqual('state', searchParams.get('state'), state)
      expectEqual('code', searchParams.get('code'), null)
    })
    await step('The wallet answers too late: the login is over', async () => {
      expectStatus(await postPresentation(context, late), 200)
      const outcome = await readSessionStatus(context, login.sessionCode)
      expectEqual('the session', outcome, 'FAILED')
      const { status, url } = await login.reload()
      expectTrue(
        'the page does not yield a code',
        status >= 400 && status < 500,
        `${status} ${url}`,
      )
    })
  },
})

export const scenarios = [endsOfACode, languages, renewedCode, failsClosed, cancelled]
