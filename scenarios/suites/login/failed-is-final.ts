import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { holdCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/failed-is-final',
  title: 'A session that failed stays failed, whatever is presented later',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
Two wallets scan one code. The first presents a credential that is not valid yet: the session is
\`FAILED\`. Then the second presents a good one **for the same request**. It is answered with 200 and
changes nothing: nobody gets in who goes on trying until it works, and the browser gets no code.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 7' },
    { document: 'Assumptions', section: 'A-30' },
  ],

  async run(context) {
    const { step, control } = context
    const [wallet, early] = [context.createWallet(), context.createWallet()]

    await step('One wallet holds a good credential, one that is not valid yet', async () => {
      const order = { defect: 'not-yet-valid', holderDid: early.account.did }
      const { credential } = await control.createDefectiveCredential(order)
      await holdCredential(context, early, expectPresent('the credential', credential))
      await collectCredential(context, wallet)
    })
    const { login } = await step('A relying party begins a login', () => beginLogin(context))
    const good = await step('Both scan its code', () =>
      preparePresentation(context, wallet, login.link),
    )
    await step('The first one fails', async () => {
      const prepared = await preparePresentation(context, early, login.link)
      expectStatus(await postPresentation(context, prepared), 200)
      await login.awaitEnd('FAILED')
    })
    await step('The second one is answered and changes nothing', async () => {
      const answer = expectStatus(await postPresentation(context, good), 200)
      expectEqual('the answer', answer.json, {})
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'FAILED')
    })
    await step('The browser stays where it is', async () => {
      const { status, text } = await login.reload()
      expectEqual('the status of the page', status, 200)
      expectTrue('the page tells of the failure', text.includes('data-state="failed"'))
    })
  },
})
