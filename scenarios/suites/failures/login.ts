import { setTimeout as sleep } from 'node:timers/promises'
import { createWalletWithCredential } from '#scenarios/fixtures/accept-offer.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, logIn } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import {
  expectDegraded,
  expectUnwell,
  expectWell,
  whileBroken,
} from '#scenarios/fixtures/outages.ts'
import {
  postPresentation,
  preparePresentation,
  presentCredential,
} from '#scenarios/fixtures/presentations.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
  type ScenarioContext,
} from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'

interface OutageAtBeginning {
  readonly fault: string
  readonly what: string
  /** What the IDP's health reports during the outage. */
  readonly health: string
  readonly expectHealth: (context: ScenarioContext, baseUrl: string) => Promise<void>
}

const outagesAtBeginning: readonly OutageAtBeginning[] = [
  {
    fault: 'verifier-down',
    what: 'the verification service is unavailable',
    health: '200 and lists the service as unavailable',
    expectHealth: (context, baseUrl) => expectDegraded(context, baseUrl, 'verifier'),
  },
  {
    fault: 'database-down',
    what: 'the database is unavailable',
    health: '503 and says that the database is disconnected',
    expectHealth: (context, baseUrl) => expectUnwell(context, baseUrl, '"db":"disconnected"'),
  },
]

function beginsScenario(
  { fault, what, health, expectHealth }: OutageAtBeginning,
  index: number,
): Scenario {
  return defineScenario({
    id: `failures/login-begins-during-${fault}`,
    title: `There is no code to scan while ${what}`,
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
A relying party sends a browser to the IDP while **${what}**. A QR code could not work, so the page does
not show one. It is a server error in plain language, without a stack trace or a query, and the browser
gets no code. \`/health\` is ${health}.

Afterwards a login succeeds.`,
    references: cite(
      'Profile: 1.errors.9',
      'Profile: 1.endpoints/credential-idp',
      'Assumptions: A-25',
    ),

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
      await step(`The browser arrives while ${what}`, () =>
        whileBroken(context, fault, async () => {
          const browser = createHttpBrowser([oidcClient.redirectUri], {}, httpAs('browser').fetch)
          const { status, text } = await browser.get(authorizationUrl.href)
          expectTrue('it is a server error', status >= 500, { status, text })
          expectMatch('the text of the page', text, /currently unavailable/)
          expectTrue('there is no QR code', !/id="qr"/.test(text))
          expectTrue(
            'the page does not reveal internals',
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

interface OutageWithin {
  readonly fault: string
  readonly what: string
  /** Name of the dependency in the IDP's health response. */
  readonly missing: string
}

const outagesWithin: readonly OutageWithin[] = [
  { fault: 'tir-down', what: 'the TIR does not respond', missing: 'tir' },
  {
    fault: 'did-registry-down',
    what: 'the DID registry does not respond',
    missing: 'did-registry',
  },
  { fault: 'status-list-down', what: 'the status list is unavailable', missing: 'status-list' },
  { fault: 'chain-down', what: 'the chain under both registries is unavailable', missing: 'tir' },
]

function loginScenario({ fault, what, missing }: OutageWithin, index: number): Scenario {
  return defineScenario({
    id: `failures/login-during-${fault}`,
    title: `No login succeeds while ${what}`,
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
A wallet has read a request and is about to present a valid credential when **${what}**. If a credential
cannot be verified, it is not accepted: the session ends as \`FAILED\`, never as \`SUCCESS\`.

The page says that a service did not respond, which is different from an invalid credential: the holder
can simply try again. The IDP's \`/health\` stays 200 and lists \`${missing}\` as unavailable. When the
service is back, the same credential logs in.`,
    references: cite('Profile: 1.errors.10', 'Assumptions: A-25, A-29'),

    async run(context) {
      const { step, control, environment } = context
      const { idpBaseUrl } = environment
      const wallet = await createWalletWithCredential(context)
      const { login } = await step('A browser shows a QR code', beginLogin)
      try {
        await step(`The wallet presents it while ${what}`, () =>
          presentCredential(context, wallet, login.link, () => control.setFault(fault, true)),
        )
        await step(
          'The login fails, and the page says that this is not about the credential',
          async () => {
            await login.awaitEnd('FAILED')
            const { text } = await login.reload()
            expectMatch('the page', text, /data-reason="service-unavailable"/)
            expectTrue(`it names ${missing}`, text.includes(`<b>${missing}</b>: no response`), text)
            await expectDegraded(context, idpBaseUrl, missing)
          },
        )
      } finally {
        await control.setFault(fault, false)
      }
      await step('When the service is back, the same credential logs in', async () => {
        await logIn(context, wallet)
        await expectWell(context, idpBaseUrl)
      })
    },
  })
}

const slowTir = defineScenario({
  id: 'failures/slow-tir',
  title: 'A slow TIR does not delay other users and does not let a login succeed',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The TIR accepts connections and does not respond. A wallet presents a valid credential. While the verifier
waits, the session does not become \`SUCCESS\` and the browser gets no code. Other sessions are not affected:
another browser gets its QR code. When the TIR is fast again, the next login succeeds immediately,
although the first one is still waiting.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/verification-session',
    'Assumptions: A-29',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet),
    )
    const { login } = await step('A browser shows a QR code', beginLogin)
    /** The session is waiting or has failed by now: each verifier chooses how long it waits. */
    const expectNotSucceeded = async () => {
      const status = await readSessionStatus(context, login.sessionCode)
      expectTrue('the session has not succeeded', status !== 'SUCCESS', status)
    }
    await step('The wallet presents it while the TIR does not respond', () =>
      whileBroken(context, 'tir-slow', async () => {
        const prepared = await preparePresentation(context, wallet, login.link)
        // The response is not awaited: the verifier gives up on the TIR after some seconds.
        void postPresentation(context, prepared).catch(() => {})
        const other = await beginLogin(context)
        await expectNotSucceeded()
        const status = await readSessionStatus(context, other.login.sessionCode)
        expectEqual('the other session', status, 'PENDING')
        // The verifier asks the TIR last: it must have done so before the fault ends.
        await sleep(300, undefined, { signal: context.signal })
      }),
    )
    await step('When the TIR is fast again, the next login succeeds immediately', () =>
      logIn(context, wallet),
    )
    await step('The first login has not succeeded', expectNotSucceeded)
  },
})

export const scenarios = [
  ...outagesAtBeginning.map(beginsScenario),
  ...outagesWithin.map(loginScenario),
  slowTir,
]
