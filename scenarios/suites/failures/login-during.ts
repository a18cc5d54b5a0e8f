import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { beginLogin, logIn } from '#scenarios/fixtures/log-in.ts'
import { expectDegraded, expectWell } from '#scenarios/fixtures/outages.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { defineScenario, oneAlgorithm, type Scenario } from '#scenarios/harness/define-scenario.ts'
import { expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'

interface Outage {
  readonly fault: string
  readonly what: string
  /** Name under which the IDP's health tells it. */
  readonly missing: string
}

const outages: readonly Outage[] = [
  { fault: 'tir-down', what: 'the TIR does not answer', missing: 'tir' },
  { fault: 'did-registry-down', what: 'the DID registry does not answer', missing: 'did-registry' },
  { fault: 'status-list-down', what: 'the status list cannot be had', missing: 'status-list' },
  { fault: 'chain-down', what: 'the chain under both registries is away', missing: 'tir' },
]

function scenarioFor({ fault, what, missing }: Outage, index: number): Scenario {
  return defineScenario({
    id: `failures/login-during-${fault}`,
    title: `Nobody logs in while ${what}`,
    category: 'Failures',
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
A wallet has read a request and is about to present a good credential when **${what}**. What can't be
verified is not accepted: the session ends as \`FAILED\`, never as \`SUCCESS\`.

The page says that a service did not answer, which is another thing than a bad credential: the holder
may simply try again. The IDP's \`/health\` stays 200 and lists \`${missing}\` as unavailable. As soon as
it is back the same credential logs in.`,
    references: [
      { document: 'Document 1', section: 'Errors, row 10' },
      { document: 'Assumptions', section: 'A-25, A-29' },
    ],

    async run(context) {
      const { step, control, environment } = context
      const { idpBaseUrl } = environment
      const wallet = context.createWallet()
      await step('A wallet holds a credential', () => collectCredential(context, wallet))
      const { login } = await step('A browser shows a QR', () => beginLogin(context))
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
            expectTrue(`it names ${missing}`, text.includes(`<b>${missing}</b>: no answer`), text)
            await expectDegraded(context, idpBaseUrl, missing)
          },
        )
      } finally {
        await control.setFault(fault, false)
      }
      await step('Once it is back the same credential logs in', async () => {
        await logIn(context, wallet)
        await expectWell(context, idpBaseUrl)
      })
    },
  })
}

export const scenarios = outages.map(scenarioFor)
