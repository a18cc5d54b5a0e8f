import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { receiveOfferMail, requestEmployeeOffer } from '#scenarios/fixtures/portal.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

export const scenario = defineScenario({
  id: 'employee/mail-works-once',
  title: 'A mail that is forwarded brings the second reader nothing',
  category: 'Employees',
  algorithms: ['ES256K'],
  description: `
The employee collects the credential and **forwards** the mail to a colleague, link and all. The link is
used: the colleague's wallet is refused with \`invalid_grant\`, whether it scans the image or taps the
link, and holds nothing.`,
  references: [
    { document: 'OpenID4VCI 1.0', section: '4.1.1 (short lived and single-use)' },
    { document: 'Assumptions', section: 'A-36' },
  ],

  async run(context) {
    const { step, uniqueName } = context
    const [employee, colleague] = [context.createWallet(), context.createWallet()]
    const email = `gil.${uniqueName}@example.org`
    await step("The portal asks for an employee's credential", async () => {
      const { bearerToken, power } = await foundOrganization(context)
      await requestEmployeeOffer(context, bearerToken, { email, power })
    })
    const { mail, link } = await step('The mail arrives', () => receiveOfferMail(context, email))
    await step('The employee collects the credential', () =>
      acceptOfferLink(context, employee, link),
    )
    await step('The colleague scans the QR, and taps the link: refused', async () => {
      const [inText = ''] = mail.text.match(/openid-credential-offer:\/\/\S+/) ?? []
      for (const each of [link, inText]) {
        await expectWalletRefusal('the forwarded offer', acceptOffer(colleague, each), {
          code: 'token_refused',
          status: 400,
          error: 'invalid_grant',
        })
      }
      expectEqual('what the colleague holds', await colleague.store.listCredentials(), [])
    })
  },
})
