import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedBearerClaims } from '#scenarios/fixtures/held-credentials.ts'
import { chooseWallet, openPortalLogin } from '#scenarios/fixtures/portal-login.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectIncludes, expectTrue } from '#scenarios/harness/expectations.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'

export const scenario = defineScenario({
  id: 'broker/same-person-again',
  title: "The token issuer knows a person again by the IDP's subject, and by nothing else",
  category: 'Broker',
  algorithms: ['ES256K'],
  description: `
A representative logs in by wallet, gets a **new credential on a new phone**, and logs in with that
one: it is the same account at the token issuer, with the same subject.

The representative of another organization is somebody else, with another subject and the claims of
that organization.`,
  references: [
    { document: 'Document 1', section: 'What the service does' },
    { document: 'Assumptions', section: 'A-42' },
  ],

  async run(context) {
    const { step, environment } = context
    const [first, second] = environment.organizations
    const logInAtPortal = async (wallet: Wallet) => {
      const opened = await openPortalLogin(context)
      const login = await chooseWallet(context, opened)
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      return (await opened.portal.redeem(await login.followRedirect())).idTokenClaims
    }
    const logInWithNew = async (organizationIdentifier = '') => {
      const wallet = context.createWallet()
      const credential = await collectCredential(context, wallet, { organizationIdentifier })
      const claims = await logInAtPortal(wallet)
      expectIncludes('the id_token', claims, expectedBearerClaims(credential))
      return claims.sub
    }
    const before = await step('A representative logs in by wallet', () =>
      logInWithNew(first?.organizationIdentifier),
    )
    await step('With a new credential on a new phone it is the same account', async () => {
      const after = await logInWithNew(first?.organizationIdentifier)
      expectTrue('the subject is the same', after === before, [before, after])
    })
    await step('The representative of another organization is somebody else', async () => {
      const other = await logInWithNew(second?.organizationIdentifier)
      expectTrue('the subject is another one', other !== before, other)
    })
  },
})
