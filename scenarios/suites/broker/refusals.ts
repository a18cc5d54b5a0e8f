import { collectCredential, createWalletWithCredential } from '#scenarios/fixtures/accept-offer.ts'
import { completeLogin } from '#scenarios/fixtures/log-in.ts'
import {
  chooseWallet,
  openPortalLogin,
  type PortalLogin,
  revokeCredential,
  submitAccount,
} from '#scenarios/fixtures/portal.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
  type ScenarioContext,
} from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'

const cancelledAtTheIdp = defineScenario({
  id: 'broker/cancelled-at-the-idp',
  title: 'A login that is cancelled at the IDP continues at the token issuer',
  algorithms: ['EdDSA'],
  description: `
A user chooses the wallet, does not find it, and cancels on the IDP's page. The broker receives
\`access_denied\` and shows **its own page again** with a message. The portal is not notified, and the
login continues on that page: a local account leads back to the portal.`,
  references: cite('Profile: 1.what-the-service-does', 'RFC 6749: 4.1.2.1', 'Assumptions: A-35'),

  async run(context) {
    const { step, environment } = context
    const { tokenIssuerAccount, tokenIssuerBaseUrl } = environment
    const opened = await step('A portal sends a browser to the token issuer', openPortalLogin)
    const login = await step('The user chooses the wallet, and the IDP shows a QR code', () =>
      chooseWallet(context, opened),
    )
    await step(
      'The user cancels and returns to the token issuer, which shows a message',
      async () => {
        const page = await login.browser.submit(`${login.page.url}/cancel`, {})
        expectEqual('the status', page.status, 200)
        expectTrue(
          'the page is one of the token issuer',
          page.url.startsWith(`${tokenIssuerBaseUrl}/login/`),
          page.url,
        )
        expectMatch('the page', page.text, /role="alert">\s*\w/)
      },
    )
    await step('With a local account the login ends at the portal', async () => {
      const { status, url } = await submitAccount(opened, tokenIssuerAccount)
      expectEqual('the status at the portal', status, 0)
      await opened.portal.redeem(new URL(url))
    })
  },
})

const idpAway = defineScenario({
  id: 'broker/idp-away',
  title: 'While the IDP is unavailable, users of a portal log in with a local account',
  algorithms: ['ES256K'],
  exclusive: true,
  description: `
The IDP becomes unavailable to the token issuer right after a wallet has presented its credential. The
browser returns, but its code cannot be exchanged. The token issuer shows its **login page** again
and says that the wallet is currently unavailable. The portal does not receive a code.

With a local account the same login ends at the portal. When the IDP is back, the wallet works.`,
  references: cite('Profile: 1.what-the-service-does', 'Assumptions: A-35'),

  async run(context) {
    const { step, environment, control } = context
    const { tokenIssuerBaseUrl, tokenIssuerAccount } = environment
    const wallet = await createWalletWithCredential(context)
    const opened = await step('A portal sends a browser to the token issuer', openPortalLogin)
    const login = await step('The wallet logs its holder in at the IDP', async () => {
      const chosen = await chooseWallet(context, opened)
      await presentCredential(context, wallet, chosen.link)
      await chosen.awaitEnd('SUCCESS')
      return chosen
    })
    await step('The IDP is unavailable when the browser returns: the page says so', async () => {
      await control.setFault('idp-down', true)
      try {
        const { url, status, text } = await login.reload()
        expectTrue('it is the login page', url.startsWith(`${tokenIssuerBaseUrl}/login/`), url)
        expectEqual('the status', status, 200)
        expectMatch('the page', text, /role="alert">[^<]*unavailable/)
      } finally {
        await control.setFault('idp-down', false)
      }
    })
    await step('With a local account the same login ends at the portal', async () => {
      const { status, url } = await submitAccount(opened, tokenIssuerAccount)
      expectEqual('the status at the portal', status, 0)
      await opened.portal.redeem(new URL(url))
    })
    await step('When the IDP is back, the wallet works', async () => {
      const next = await openPortalLogin(context)
      const chosen = await chooseWallet(context, next)
      await presentCredential(context, wallet, chosen.link)
      await completeLogin({ login: chosen, relyingParty: next.portal })
    })
  },
})

const revokedCredential = defineScenario({
  id: 'broker/revoked-credential',
  title: 'A revoked credential does not yield a Bearer token',
  algorithms: ['ES256K'],
  description: `
A credential that the organization has revoked must not yield a token that can issue further
credentials. The wallet presents the revoked credential in a login through the token issuer. The login
fails **at the IDP**, whose page says that the credential was revoked. The browser stays there, and
neither the token issuer nor the portal receives a code.`,
  references: cite(
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.7',
    'Assumptions: A-23',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential, which is then revoked', async () => {
      const { credentialId } = await collectCredential(context, wallet)
      await revokeCredential(context, credentialId)
    })
    const login = await step('A portal starts a login with a wallet', async () =>
      chooseWallet(context, await openPortalLogin(context)),
    )
    await step('The wallet presents it, and the login fails', async () => {
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('FAILED')
    })
    await step("The browser stays on the IDP's page, which gives the reason", async () => {
      const { url, status, text } = await login.reload()
      expectTrue('it is at the IDP', url.startsWith(environment.idpBaseUrl), `${status} ${url}`)
      expectMatch('the page', text, /was revoked/)
    })
  },
})

interface Tampering {
  readonly name: string
  readonly title: string
  readonly what: string
  /** Whether the token issuer shows its login page again or an error page that ends the login. */
  readonly end: 'login page' | 'refusal'
  /** Sends the callback of a login to the token issuer; returns what the browser receives. */
  readonly bring: (options: {
    readonly context: ScenarioContext
    readonly opened: PortalLogin
    readonly callback: URL
  }) => Promise<HttpPage>
}

function change(callback: URL, name: string, value: string | null): string {
  const url = new URL(callback)
  if (value === null) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  return url.href
}

const tamperings: readonly Tampering[] = [
  {
    name: 'state',
    title: 'The token issuer rejects a broker callback with a different state',
    what: 'a different `state`',
    end: 'refusal',
    bring: ({ opened, callback }) => opened.browser.get(change(callback, 'state', 'another-state')),
  },
  {
    name: 'without-state',
    title: 'The token issuer rejects a broker callback without a state',
    what: 'without a `state`',
    end: 'refusal',
    bring: ({ opened, callback }) => opened.browser.get(change(callback, 'state', null)),
  },
  {
    name: 'code',
    title: 'A broker callback with a different code does not sign the user in',
    what: 'a different `code`',
    end: 'login page',
    bring: ({ opened, callback }) => opened.browser.get(change(callback, 'code', 'another-code')),
  },
  {
    name: 'issuer',
    title: 'A broker callback with the `iss` of another provider does not sign the user in',
    what: 'the `iss` of another provider (mix-up)',
    end: 'login page',
    bring: ({ opened, callback }) =>
      opened.browser.get(change(callback, 'iss', 'https://other.example')),
  },
  {
    name: 'other-browser',
    title: 'The token issuer rejects a broker callback in another browser',
    what: "valid parameters, but in another user's browser (login CSRF)",
    end: 'refusal',
    bring({ context, callback }) {
      const stop = [context.environment.tokenIssuerClient.redirectUri]
      return createHttpBrowser(stop, {}, context.httpAs('other-browser').fetch).get(callback.href)
    },
  },
  {
    name: 'twice',
    title: 'A broker callback works once',
    what: 'valid parameters that were used before',
    end: 'refusal',
    async bring({ opened, callback }) {
      const first = await opened.browser.get(callback.href)
      expectTrue('the first use leads to the portal', first.status === 0, first.url)
      return opened.browser.get(callback.href)
    },
  },
]

function scenarioFor({ name, title, what, end, bring }: Tampering, index: number): Scenario {
  const outcome =
    end === 'refusal'
      ? 'The token issuer shows an error page'
      : 'The token issuer shows its login page again, with a message'
  return defineScenario({
    id: `broker/tampered-callback-${name}`,
    title,
    algorithms: oneAlgorithm(index),
    description: `
A user has logged in at the IDP. On the way back through \`/broker/{alias}/endpoint\` the browser sends
${what}. ${outcome}. No user is logged in, and the portal does not receive a code.`,
    references: cite(
      'Profile: 1.endpoints/credential-idp',
      'RFC 9700: 4.4, 4.7',
      'Assumptions: A-36',
    ),

    async run(context) {
      const { step, environment } = context
      const { tokenIssuerBaseUrl } = environment
      const wallet = await createWalletWithCredential(context)
      const opened = await step('A portal sends a browser to the token issuer', openPortalLogin)
      const callback = await step('The wallet logs its holder in at the IDP', async () => {
        const login = await chooseWallet(context, opened)
        await presentCredential(context, wallet, login.link)
        await login.awaitEnd('SUCCESS')
        return readCallback(context, opened, login.page.url)
      })
      await step(`The browser sends ${what.replaceAll('`', '')}`, async () => {
        const { status, url, text } = await bring({ context, opened, callback })
        expectTrue('it stays at the token issuer', url.startsWith(tokenIssuerBaseUrl), url)
        if (end === 'login page') {
          expectTrue('it is the login page', status === 200 && url.includes('/login/'), url)
          expectMatch('the page', text, /role="alert">\s*\w/)
        } else {
          expectTrue('it is an error page', status >= 400 && status < 500, `${status} ${url}`)
        }
      })
    },
  })
}

/** The address at the token issuer to which the IDP sends the browser; it is not opened. */
async function readCallback(
  { environment }: ScenarioContext,
  { browser }: PortalLogin,
  idpPage: string,
): Promise<URL> {
  const endpoint = `${environment.tokenIssuerBaseUrl}/broker/`
  const { url } = await browser.get(idpPage, endpoint)
  expectTrue('the browser is on its way back', url.startsWith(endpoint), url)
  return new URL(url)
}

export const scenarios = [
  cancelledAtTheIdp,
  idpAway,
  revokedCredential,
  ...tamperings.map(scenarioFor),
]
