import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, logIn } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'failures/slow-tir',
  title: 'A TIR that takes its time keeps nobody else waiting, and lets nobody in',
  category: 'Failures',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The TIR takes connections and says nothing. A wallet presents a good credential: while the verifier
waits, the session does not succeed and the browser gets no code. Nothing else hangs meanwhile:
another browser gets its QR, and once the TIR is quick again the next login succeeds at once, although
the first one is still waiting.`,
  references: [
    { document: 'Document 1', section: 'Verification session (IDP)' },
    { document: 'Assumptions', section: 'A-29' },
  ],

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet),
    )
    const { login } = await step('A browser shows a QR', () => beginLogin(context))
    /** It waits, or has failed by now: for how long a verifier waits is its own affair. */
    const expectNotSucceeded = async () => {
      const status = await readSessionStatus(context, login.sessionCode)
      expectTrue('the session has not succeeded', status !== 'SUCCESS', status)
    }
    await step('The wallet presents it while the TIR is silent', () =>
      whileBroken(context, 'tir-slow', async () => {
        const prepared = await preparePresentation(context, wallet, login.link)
        // Nobody waits for its answer: the verifier gives up on the TIR after some seconds.
        void postPresentation(context, prepared).catch(() => {})
        const other = await beginLogin(context)
        await expectNotSucceeded()
        const status = await readSessionStatus(context, other.login.sessionCode)
        expectEqual('the other session', status, 'PENDING')
      }),
    )
    await step('Once it is quick again the next login succeeds at once', () =>
      logIn(context, wallet),
    )
    await step('The first one has not', expectNotSucceeded)
  },
})
