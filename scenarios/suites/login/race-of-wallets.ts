import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectPresent,
  expectStatus,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/race-of-wallets',
  title: 'Of two wallets that answer one code at the same moment, one logs its holder in',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
Two people of different organizations scan the same code and approve at the same moment. Both posts
are answered with 200, but **one** alone decides the session: only that one is told a
\`redirect_uri\`, and whoever sits at the browser is that holder and no mixture of both.`,
  references: [
    { document: 'Document 1', section: 'Verification session (IDP)' },
    { document: 'Document 1', section: 'Endpoint a verifier exposes to the wallet' },
    { document: 'Assumptions', section: 'A-30' },
  ],

  async run(context) {
    const { step, environment } = context
    const wallets = await step('Two wallets hold a credential of an organization each', () =>
      Promise.all(
        environment.organizations.slice(0, 2).map(async ({ organizationIdentifier }) => {
          const wallet = context.createWallet()
          const credential = await collectCredential(context, wallet, { organizationIdentifier })
          return { wallet, credential }
        }),
      ),
    )
    expectEqual('the number of wallets', wallets.length, 2)
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const answers = await step('Both wallets answer its code at the same moment', async () => {
      const prepared = await Promise.all(
        wallets.map(({ wallet }) => preparePresentation(context, wallet, login.link)),
      )
      return Promise.all(prepared.map((each) => postPresentation(context, each)))
    })
    const winner = await step('Both are answered; one of them is told where to go on', () => {
      for (const answer of answers) expectStatus(answer, 200)
      const isTold = (json: unknown) => typeof json === 'object' && json && 'redirect_uri' in json
      const winners = wallets.filter((_, index) => isTold(answers[index]?.json))
      expectEqual('the number of winners', winners.length, 1)
      return expectPresent('the winner', winners[0])
    })
    await step('The login is that of this holder alone', async () => {
      await login.awaitEnd('SUCCESS')
      const { idTokenClaims } = await relyingParty.redeem(await login.followRedirect())
      expectIncludes('the id_token', idTokenClaims, expectedClaims(winner.credential))
    })
  },
})
