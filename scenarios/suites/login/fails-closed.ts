import { awaitLoginState } from '#scenarios/fixtures/browser-login.ts'
import { authorizationUrlOf } from '#scenarios/fixtures/log-in.ts'
import {
  expectDegraded,
  expectUnwell,
  expectWell,
  whileBroken,
} from '#scenarios/fixtures/outages.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectMatch } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/fails-closed',
  title: 'Without the verification service or the database people are told so in plain words',
  category: 'Login',
  usesBrowser: true,
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
Without the verification service or the database there is no code to scan. A person who comes to sign
in sees a server error in plain words, and \`/health\` names what is away. The suite \`failures\` tells
without a screen of these and of all other outages; this one is what people look at.`,
  references: [
    { document: 'Document 1', section: 'Errors, row 9' },
    { document: 'Assumptions', section: 'A-25, A-29' },
  ],

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
          expectMatch('what it says', text, /not possible now/)
          await expectHealth(context, environment.idpBaseUrl, missing)
        })
        await expectWell(context, environment.idpBaseUrl)
      })
    }
  },
})
