import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { atOnce } from '#scenarios/harness/waiting.ts'

const browsers = 8
const pollsEach = 5

export const scenario = defineScenario({
  id: 'concurrency/polling-browsers',
  title: 'Many browsers ask at once, and each learns of its own session alone',
  category: 'Concurrency',
  algorithms: ['EdDSA'],
  description: `
${browsers} browsers show a QR and ask for their session's state over and over. One wallet answers one
of them. Only that session becomes \`SUCCESS\`; all others stay \`PENDING\`, and no session code is
given twice. A state that was left never comes back: after the first \`SUCCESS\` there is nothing else.`,
  references: [
    { document: 'Document 1', section: 'Verification session (IDP)' },
    { document: 'Document 1', section: 'Endpoints, Credential IDP' },
    { document: 'Assumptions', section: 'A-31' },
  ],

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet),
    )
    const logins = await step(`${browsers} browsers show a QR`, () =>
      atOnce(browsers, async () => (await beginLogin(context)).login),
    )
    const [chosen] = logins
    if (chosen === undefined) throw new TypeError('unreachable')
    expectEqual(
      'the number of different sessions',
      new Set(logins.map(({ sessionCode }) => sessionCode)).size,
      browsers,
    )
    const seen = await step('All ask while a wallet answers one of them', async () => {
      const prepared = await preparePresentation(context, wallet, chosen.link)
      const posted = postPresentation(context, prepared)
      const told = await atOnce(browsers, async (index) => {
        const states: unknown[] = []
        const { sessionCode = '' } = logins[index] ?? {}
        for (let poll = 0; poll < pollsEach; poll += 1) {
          states.push(await readSessionStatus(context, sessionCode))
        }
        return states
      })
      await posted
      return told
    })
    await step('Only that one has succeeded, and for good', async () => {
      await chosen.awaitEnd('SUCCESS')
      const [ofChosen = [], ...ofOthers] = seen
      const order = ofChosen.map((state) => ['PENDING', 'SUCCESS'].indexOf(String(state)))
      const isInOrder = order.every(
        (state, index) => state >= 0 && state >= (order[index - 1] ?? 0),
      )
      expectTrue('no state comes back', isInOrder, ofChosen)
      const others = new Set(ofOthers.flat())
      expectEqual('the states of the others', [...others], ['PENDING'])
    })
    await step('The others are as they were', async () => {
      for (const { sessionCode } of logins.slice(1)) {
        expectEqual('the state', await readSessionStatus(context, sessionCode), 'PENDING')
      }
    })
  },
})
