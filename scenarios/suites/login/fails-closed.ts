import { awaitLoginState } from '#scenarios/fixtures/await-login-state.ts'
import { obtainCredential } from '#scenarios/fixtures/obtain-credential.ts'
import { openLogin } from '#scenarios/fixtures/open-login.ts'
import { presentCredential } from '#scenarios/fixtures/present-credential.ts'
import { readSessionStatus } from '#scenarios/fixtures/read-session-status.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { scanPage } from '#scenarios/fixtures/scan-page.ts'
import type { ScenarioContext } from '#scenarios/harness/context.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectStatus } from '#scenarios/harness/expectations.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'

/** Faults while a presentation is verified, with what the IDP's health says is away. */
const duringVerification = [
  ['tir-down', /tir/],
  ['did-registry-down', /did-registry/],
  ['status-list-down', /status-list/],
  ['chain-down', /did-registry.*tir/],
] as const

async function createLoginUrl(context: ScenarioContext): Promise<URL> {
  const { oidcClient, idpBaseUrl } = context.environment
  const { authorizationUrl } = await createRelyingParty(context, {
    caller: 'relying-party',
    issuerUrl: idpBaseUrl,
    client: oidcClient,
    scope: 'openid openid-vp-lear',
  })
  return authorizationUrl
}

const startLogin = async (context: ScenarioContext) =>
  openLogin(context, await createLoginUrl(context), context.environment.oidcClient.redirectUri)

/** The IDP says that nobody can sign in, and what is away. */
async function expectUnhealthy(context: ScenarioContext, missing: RegExp): Promise<void> {
  const answer = await context
    .httpAs('operator')
    .request(`${context.environment.idpBaseUrl}/health`)
  expectStatus(answer, 503)
  expectMatch('what is away', answer.text, missing)
}

/** Something breaks just as the wallet presents: the login fails and its page says why. */
async function presentDuring(
  context: ScenarioContext,
  wallet: Wallet,
  [fault, missing]: (typeof duringVerification)[number],
): Promise<void> {
  const { control } = context
  const login = await startLogin(context)
  const link = await scanPage(context, login.page, `Code before ${fault}`)
  try {
    await presentCredential(context, wallet, link, () => control.setFault(fault, true))
    const text = await awaitLoginState(context, login.page, 'failed', `Page: ${fault}`)
    expectMatch('the reason', text, /did not answer/)
    expectEqual('the state', await readSessionStatus(context, await login.sessionCode), 'FAILED')
    await expectUnhealthy(context, missing)
  } finally {
    await control.setFault(fault, false)
  }
}

export const scenario = defineScenario({
  id: 'login/fails-closed',
  title: 'While something is away nobody is logged in, and the page says so',
  category: 'Login',
  usesBrowser: true,
  exclusive: true,
  algorithms: ['ES256K'],
  timeLimitMilliseconds: 60_000,
  description: `
A wallet presents a good credential while the TIR, the DID registry, the status list or the chain is
away. Each login ends as \`FAILED\`: the page says that a service did not answer, and the IDP's
\`/health\` is 503 and names what is missing.

Without the verification service or the database there is no code to scan: the page is a server
error in plain words.`,
  references: [
    { document: 'Document 1', section: 'Errors' },
    { document: 'Assumptions', section: 'A-25, A-29' },
  ],

  async run(context) {
    const { step, control, environment, httpAs } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => obtainCredential(context, wallet))
    for (const fault of duringVerification) {
      await step(`It presents while ${fault[0]}`, () => presentDuring(context, wallet, fault))
    }
    for (const [fault, missing] of [
      ['verifier-down', /verifier/],
      ['database-down', /"db":"disconnected"/],
    ] as const) {
      await step(`A browser begins a login while ${fault}`, async () => {
        const health = `${environment.idpBaseUrl}/health`
        const login = await startLogin(context)
        const url = await createLoginUrl(context)
        try {
          await control.setFault(fault, true)
          await login.page.goto(url.href)
          const text = await awaitLoginState(context, login.page, 'error', `Page: ${fault}`)
          expectMatch('what it says', text, /not possible now/)
          await expectUnhealthy(context, missing)
        } finally {
          await control.setFault(fault, false)
        }
        expectStatus(await httpAs('operator').request(health), 200)
      })
    }
  },
})
