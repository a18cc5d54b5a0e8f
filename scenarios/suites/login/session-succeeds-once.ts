import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims, holdCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/session-succeeds-once',
  title: 'A session goes from PENDING to SUCCESS once, and leads one browser back once',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
The session is \`PENDING\` while nobody has answered, and \`SUCCESS\` after a good presentation. A bad
one that comes later is answered and changes nothing, neither the state nor whose login it is.

The browser is led back with one code. The page's address does not lead to a second one.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 6' },
    { document: 'Document 1', section: 'Verification session (IDP)' },
    { document: 'Assumptions', section: 'A-30, A-31' },
  ],

  async run(context) {
    const { step, control } = context
    const [wallet, expired] = [context.createWallet(), context.createWallet()]
    const statusOf = (sessionCode: string) => readSessionStatus(context, sessionCode)

    const credential = await step(
      'One wallet holds a good credential, one an expired one',
      async () => {
        const order = { defect: 'expired', holderDid: expired.account.did }
        const { credential: bad } = await control.createDefectiveCredential(order)
        await holdCredential(context, expired, expectPresent('the credential', bad))
        return collectCredential(context, wallet)
      },
    )
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const late = await step('The session is pending, and both scan the code', async () => {
      expectEqual('the session', await statusOf(login.sessionCode), 'PENDING')
      return preparePresentation(context, expired, login.link)
    })
    await step('The good presentation makes it a success', async () => {
      const prepared = await preparePresentation(context, wallet, login.link)
      expectEqual('the session', await statusOf(login.sessionCode), 'PENDING')
      expectStatus(await postPresentation(context, prepared), 200)
      await login.awaitEnd('SUCCESS')
    })
    await step('The bad one comes too late to change anything', async () => {
      expectStatus(await postPresentation(context, late), 200)
      expectEqual('the session', await statusOf(login.sessionCode), 'SUCCESS')
    })
    await step('The login is that of the first holder', async () => {
      const { idTokenClaims } = await relyingParty.redeem(await login.followRedirect())
      expectIncludes('the id_token', idTokenClaims, expectedClaims(credential))
    })
    await step('The page leads back no second time', async () => {
      const { status, url } = await login.reload()
      expectTrue('there is no way back any more', status >= 400 && status < 500, `${status} ${url}`)
    })
  },
})
