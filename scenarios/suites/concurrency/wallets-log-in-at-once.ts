import { expectedClaims, giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes } from '#scenarios/harness/expectations.ts'
import { atOnce } from '#scenarios/harness/waiting.ts'

const wallets = 20

export const scenario = defineScenario({
  id: 'concurrency/wallets-log-in-at-once',
  title: `${wallets} people log in at once, each as themselves`,
  category: 'Concurrency',
  algorithms: ['EdDSA'],
  description: `
At nine o'clock ${wallets} people sign in, each with a browser and a wallet of their own. All succeed,
and each relying party gets the claims of *its* holder: their address, their number, their \`sub\`. No
two are mixed up, and no two share a \`sub\`.`,
  references: [
    { document: 'Document 1', section: 'IDP id_token claims (scope openid-vp-lear)' },
    { document: 'Assumptions', section: 'A-31, A-42' },
  ],

  async run(context) {
    const { step, environment } = context
    const { issuer } = environment.trustChain
    const people = await step(`${wallets} wallets hold a credential each`, () =>
      atOnce(wallets, async (index) => {
        const wallet = context.createWallet()
        const employeeId = `employee-${context.uniqueName}-${index}`
        const credential = await giveOwnCredential(context, issuer, wallet, { employeeId })
        return { wallet, claims: expectedClaims(credential) }
      }),
    )
    const tokens = await step('All log in at once', () =>
      Promise.all(people.map(({ wallet }) => logIn(context, wallet))),
    )
    await step('Each is logged in as themselves', () => {
      for (const [index, { idTokenClaims }] of tokens.entries()) {
        expectIncludes(`the claims of ${index}`, idTokenClaims, people[index]?.claims ?? {})
      }
      const subjects = new Set(tokens.map(({ idTokenClaims }) => idTokenClaims.sub))
      expectEqual('the number of different subjects', subjects.size, wallets)
    })
  },
})
