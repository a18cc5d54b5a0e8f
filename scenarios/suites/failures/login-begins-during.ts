import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import {
  expectDegraded,
  expectUnwell,
  expectWell,
  whileBroken,
} from '#scenarios/fixtures/outages.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import {
  defineScenario,
  oneAlgorithm,
  type Scenario,
  type ScenarioContext,
} from '#scenarios/harness/define-scenario.ts'
import { expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'

interface Outage {
  readonly fault: string
  readonly what: string
  /** What the IDP's health reports then. */
  readonly health: string
  readonly expectHealth: (context: ScenarioContext, baseUrl: string) => Promise<void>
}

const outages: readonly Outage[] = [
  {
    fault: 'verifier-down',
    what: 'the verification service is away',
    health: '200 and lists the service as unavailable',
    expectHealth: (context, baseUrl) => expectDegraded(context, baseUrl, 'verifier'),
  },
  {
    fault: 'database-down',
    what: 'the database cannot be reached',
    health: '503 and says that the database is disconnected',
    expectHealth: (context, baseUrl) => expectUnwell(context, baseUrl, '"db":"disconnected"'),
  },
]

function scenarioFor({ fault, what, health, expectHealth }: Outage, index: number): Scenario {
  return defineScenario({
    id: `failures/login-begins-during-${fault}`,
    title: `There is no code to scan while ${what}`,
    category: 'Failures',
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
A relying party sends a browser to the IDP while **${what}**. No QR could lead anywhere, so that none is
shown: the page is a server error in plain words, without a stack or a query in it, and the browser
gets no code. \`/health\` is ${health}.

Afterwards a login succeeds.`,
    references: [
      { document: 'Document 1', section: 'Errors, row 9' },
      { document: 'Document 1', section: 'Endpoints, Credential IDP' },
      { document: 'Assumptions', section: 'A-25' },
    ],

    async run(context) {
      const { step, environment, httpAs } = context
      const { oidcClient, idpBaseUrl, trustChain } = environment
      const wallet = context.createWallet()
      const { authorizationUrl } = await step('A relying party begins a login', () =>
        createRelyingParty(context, {
          caller: 'relying-party',
          issuerUrl: idpBaseUrl,
          client: oidcClient,
          scope: 'openid openid-vp-lear',
        }),
      )
      await step(`The browser comes while ${what}`, () =>
        whileBroken(context, fault, async () => {
          const browser = createHttpBrowser([oidcClient.redirectUri], {}, httpAs('browser').fetch)
          const { status, text } = await browser.get(authorizationUrl.href)
          expectTrue("it is the server's fault", status >= 500, { status, text })
          expectMatch('what the page says', text, /not possible now/)
          expectTrue('there is no QR', !/id="qr"/.test(text))
          expectTrue(
            'there is no inside of the server',
            !/\bat .*:\d+:\d+|SQLITE|select /i.test(text),
          )
          await expectHealth(context, idpBaseUrl)
        }),
      )
      await step('Afterwards a login succeeds', async () => {
        await expectWell(context, idpBaseUrl)
        await giveOwnCredential(context, trustChain.issuer, wallet)
        await logIn(context, wallet)
      })
    },
  })
}

export const scenarios = outages.map(scenarioFor)
