import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginFailure, logIn } from '#scenarios/fixtures/log-in.ts'
import { brokenRulesOf } from '#scenarios/fixtures/login-page.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'

export const scenario = defineScenario({
  id: 'issuance/refused-presentation',
  title: 'A presentation that is refused changes nothing at the issuer',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
A wallet with a fault in its signatures presents a fresh credential: the login fails. For the issuer that
is **no event**: the record stays as it is, and nobody is locked out. The holder obtains a new credential
with a wallet that works, and logs in with that one.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 2' },
    { document: 'Assumptions', section: 'A-22' },
  ],

  async run(context) {
    const { step } = context
    const faulty = context.createWallet({ faults: findFaults(['presentation-bad-signature']) })
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const collect = async (by: typeof wallet) => {
      const { credentialId } = await acceptOfferLink(
        context,
        by,
        await ownOfferLink(context, organization),
      )
      return awaitRecord(context, { ...organization, credentialId, status: 'issued' })
    }

    const before = await step('They collect a credential with a wallet that signs badly', () =>
      collect(faulty),
    )
    await step('It presents the credential: the login fails', async () => {
      const broken = brokenRulesOf(await expectLoginFailure(context, faulty))
      expectEqual('the broken rules', broken, ['presentation.signature'])
    })
    await step('The record is as it was', async () => {
      expectEqual('the records', await listRecords(context, organization), [before])
    })
    await step('They obtain a new one with a good wallet, and log in', async () => {
      await collect(wallet)
      await logIn(context, wallet)
    })
  },
})
