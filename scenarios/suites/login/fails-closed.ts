import { awaitLoginState } from '#scenarios/fixtures/await-login-state.ts'
import { brokenRulesOf } from '#scenarios/fixtures/broken-rules-of.ts'
import { collectCredential } from '#scenarios/fixtures/collect-credential.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { authorizationUrlOf } from '#scenarios/fixtures/obtain-code.ts'
import { presentCredential } from '#scenarios/fixtures/present-credential.ts'
import type { ScenarioContext } from '#scenarios/harness/context.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectMatch, expectStatus } from '#scenarios/harness/expectations.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'

/** Faults while a presentation is verified, with what the IDP's health says is away. */
const duringVerification = [
  ['tir-down', /tir/],
  ['did-registry-down', /did-registry/],
  ['status-list-down', /status-list/],
  ['chain-down', /did-registry.*tir/],
] as const

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
  const { login } = await beginLogin(context)
  try {
    await presentCredential(context, wallet, login.link, () => control.setFault(fault, true))
    await login.awaitEnd('FAILED')
    const page = await login.reload()
    expectMatch('the reason', page.text, /did not answer/)
    expectMatch('who did not answer', brokenRulesOf(page).join(' '), missing)
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
    const { step, control, environment, httpAs, browser } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    for (const fault of duringVerification) {
      await step(`It presents while ${fault[0]}`, () => presentDuring(context, wallet, fault))
    }
    for (const [fault, missing] of [
      ['verifier-down', /verifier/],
      ['database-down', /"db":"disconnected"/],
    ] as const) {
      await step(`A browser begins a login while ${fault}`, async () => {
        const { page } = await browser.open()
        try {
          await control.setFault(fault, true)
          await page.goto(authorizationUrlOf(context).href)
          const text = await awaitLoginState(context, page, 'error', `Page: ${fault}`)
          expectMatch('what it says', text, /not possible now/)
          await expectUnhealthy(context, missing)
        } finally {
          await control.setFault(fault, false)
        }
        expectStatus(await httpAs('operator').request(`${environment.idpBaseUrl}/health`), 200)
      })
    }
  },
})
