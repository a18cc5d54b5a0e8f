import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent, expectRefusal } from '#scenarios/harness/expectations.ts'
import { atOnce } from '#scenarios/harness/waiting.ts'

const posts = 10

export const scenario = defineScenario({
  id: 'concurrency/one-presentation-many-posts',
  title: 'A presentation that is posted ten times at once logs in once',
  category: 'Concurrency',
  algorithms: ['ES256K'],
  description: `
A bad line makes a wallet post its presentation ${posts} times in the same moment. The session becomes
\`SUCCESS\` and stays it; each post is answered with 200. The code that the browser gets is traded for
tokens once: a second time it is refused, as it may have been seen on the way.`,
  references: [
    { document: 'Document 1', section: 'Endpoint a verifier exposes to the wallet' },
    { document: 'Document 1', section: 'Verification session (IDP)' },
    { document: 'Assumptions', section: 'A-30, A-31' },
  ],

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet),
    )
    const { login, relyingParty } = await step('A browser shows a QR', () => beginLogin(context))
    await step(`The wallet posts its answer ${posts} times at once`, async () => {
      const prepared = await preparePresentation(context, wallet, login.link)
      const answers = await atOnce(posts, () => postPresentation(context, prepared))
      const statuses = answers.map(({ status }) => status)
      expectEqual('the statuses', statuses, Array(posts).fill(200))
    })
    const address = await step('The session has succeeded, once', async () => {
      await login.awaitEnd('SUCCESS')
      return login.followRedirect()
    })
    await step('The code gives tokens once', async () => {
      const tokens = await relyingParty.redeem(address)
      expectPresent('the id_token', tokens.idToken)
      const refusal = await expectRefusal('the code a second time', relyingParty.redeem(address))
      expectEqual('the error', (refusal as { error?: unknown }).error, 'invalid_grant')
      await login.awaitEnd('SUCCESS')
    })
  },
})
