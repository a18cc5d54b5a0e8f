import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, logIn } from '#scenarios/fixtures/log-in.ts'
import {
  postPresentation,
  preparePresentation,
  presentCredential,
} from '#scenarios/fixtures/presentations.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectStatus } from '#scenarios/harness/expectations.ts'

/** Document 1, Limits: QR_EXPIRATION_TIME, default 300 seconds. */
const lifetime = 300

export const scenario = defineScenario({
  id: 'time/session-expires',
  title: 'A login that nobody answers in time has failed, whatever the wallet does then',
  category: 'Time',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
Two browsers show a QR. One wallet has read its request and hesitates, the other one does not scan at
all for ${lifetime} seconds. Then:

- both sessions are \`FAILED\`, and the page offers a new code,
- the wallet that hesitated posts a presentation that was signed in time: it changes nothing, a
  finished session never does,
- the wallet that scans now is told no request, and stops.

A new login succeeds.`,
  references: [
    { document: 'Document 1', section: 'Verification session (IDP)' },
    { document: 'Document 1', section: 'Limits, row 1' },
    { document: 'Assumptions', section: 'A-30, A-31' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet),
    )
    const [hesitated, unseen] = await step('Two browsers show a QR', async () => [
      (await beginLogin(context)).login,
      (await beginLogin(context)).login,
    ])
    if (!hesitated || !unseen) throw new TypeError('unreachable')
    const prepared = await step('The wallet answers the first one, and keeps its answer back', () =>
      preparePresentation(context, wallet, hesitated.link),
    )
    try {
      await step('Too much time passes: both have failed', async () => {
        await control.advanceClock(lifetime + 1)
        await hesitated.awaitEnd('FAILED')
        await unseen.awaitEnd('FAILED')
        const { text } = await hesitated.reload()
        expectMatch('the page', text, /data-state="expired"/)
      })
      await step('What was kept back changes nothing', async () => {
        const answer = expectStatus(await postPresentation(context, prepared), 200)
        expectEqual('the answer', answer.json, {})
        await hesitated.awaitEnd('FAILED')
      })
      await step('A wallet that scans now stops', () =>
        expectWalletRefusal('the late scan', presentCredential(context, wallet, unseen.link), {
          code: 'invalid_request',
          status: 410,
        }),
      )
      await step('A new login succeeds', () => logIn(context, wallet))
    } finally {
      await control.resetClock()
    }
  },
})
