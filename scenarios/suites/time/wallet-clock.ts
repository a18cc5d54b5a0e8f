import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { brokenRulesOf } from '#scenarios/fixtures/login-page.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { withWrongClock } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario, oneAlgorithm, type Scenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent, expectStatus } from '#scenarios/harness/expectations.ts'

interface WrongClock {
  readonly name: string
  readonly what: string
  /** How far the phone is ahead, in seconds. */
  readonly ahead: number
  /** What the presentation breaks; without it the login succeeds. */
  readonly rule?: string
}

const clocks: readonly WrongClock[] = [
  { name: 'slightly-ahead', what: 'half a minute ahead', ahead: 30 },
  { name: 'ahead', what: 'two minutes ahead', ahead: 120, rule: 'presentation.issued-at' },
  { name: 'slightly-behind', what: 'two minutes behind', ahead: -120 },
  { name: 'behind', what: 'an hour behind', ahead: -3600, rule: 'presentation.expiry' },
]

function scenarioFor({ name, what, ahead, rule }: WrongClock, index: number): Scenario {
  const verdict = rule === undefined ? 'logs in all the same' : 'is refused'
  return defineScenario({
    id: `time/wallet-clock-${name}`,
    title: `A wallet whose clock is ${what} ${verdict}`,
    category: 'Time',
    algorithms: oneAlgorithm(index),
    description: `
Phones are not on time. The wallet signs its presentation with a clock that is ${what}: \`iat\` and
\`exp\` are off by so much.

${
  rule === undefined
    ? 'Clocks differ by that much, so it has to be accepted: the session ends as `SUCCESS`.'
    : `That is more than clocks differ: the post is answered with 200, the session ends as \`FAILED\`
for \`${rule}\`. A presentation that was signed ahead could be kept back and used later.`
}`,
    references: [
      { document: 'Document 1', section: 'Presentation token (vp_token, a JWT)' },
      { document: 'Assumptions', section: 'A-28' },
    ],
    needs: ['clock'],

    async run(context) {
      const { step, environment } = context
      const wallet = withWrongClock(context.createWallet(), ahead)
      await step('A wallet holds a credential', () =>
        giveOwnCredential(context, environment.trustChain.issuer, wallet),
      )
      const { login, relyingParty } = await step('A browser shows a QR', () => beginLogin(context))
      await step(`The wallet answers with a clock ${what}`, async () => {
        const prepared = await preparePresentation(context, wallet, login.link)
        expectStatus(await postPresentation(context, prepared), 200)
      })
      if (rule === undefined) {
        const tokens = await step('The login succeeds', async () => {
          await login.awaitEnd('SUCCESS')
          return relyingParty.redeem(await login.followRedirect())
        })
        expectPresent('the id_token', tokens.idToken)
        return
      }
      await step(`The login fails for ${rule}`, async () => {
        await login.awaitEnd('FAILED')
        expectEqual('the broken rules', brokenRulesOf(await login.reload()), [rule])
      })
    },
  })
}

export const scenarios = clocks.map(scenarioFor)
