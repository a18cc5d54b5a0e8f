import { createWalletWithCredential } from '#scenarios/fixtures/accept-offer.ts'
import { chooseWallet, openPortalLogin, type PortalLogin } from '#scenarios/fixtures/portal.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
  type ScenarioContext,
} from '#scenarios/harness/define-scenario.ts'
import { expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'

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
      const opened = await step('A portal sends a browser to the token issuer', () =>
        openPortalLogin(context),
      )
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

export const scenarios = tamperings.map(scenarioFor)
