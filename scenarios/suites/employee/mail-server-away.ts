import { acceptOfferLink } from '#scenarios/fixtures/accept-offer-link.ts'
import { foundOrganization } from '#scenarios/fixtures/found-organization.ts'
import { listRecords } from '#scenarios/fixtures/list-records.ts'
import { receiveOfferMail } from '#scenarios/fixtures/receive-offer-mail.ts'
import { requestEmployeeOffer } from '#scenarios/fixtures/request-employee-offer.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'employee/mail-server-away',
  title: 'While the mail server is away the issuer promises no more than is true',
  category: 'Employees',
  // It breaks the way to the mail server, for everybody.
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The mail server does not answer. The issuer does not say that a mail was sent: it says that one is
**queued**, and the record is pending. Nothing has arrived. When the mail server is back the mail comes
by itself, once, and its QR is fresh: the offer's lifetime begins when the mail goes out.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer: .5' },
    { document: 'Document 1', section: 'Limits: .1' },
    { document: 'Assumptions', section: 'A-41' },
  ],

  async run(context) {
    const { step, control, uniqueName, mailbox } = context
    const wallet = context.createWallet()
    const email = `irene.${uniqueName}@example.org`
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { power, bearerToken } = organization

    await step('The mail server goes away', () => control.setFault('mail-down', true))
    await step("The portal asks for an employee's credential: queued", async () => {
      const message = await requestEmployeeOffer(context, bearerToken, { email, power })
      expectMatch('the message', message, /queued/i)
      expectTrue('it does not say sent', !/has been sent/i.test(message), message)
    })
    await step('No mail is there, and the record is pending', async () => {
      expectEqual('the mails', await mailbox.list(email), [])
      const records = await listRecords(context, organization)
      const statuses = records.map(({ status }) => status)
      expectEqual('the statuses', statuses, ['pending'])
    })
    const link = await step('The mail server is back: the mail comes by itself', async () => {
      await control.setFault('mail-down', false)
      const received = await receiveOfferMail(context, email)
      return received.link
    })
    await step('It came once, and its QR works', async () => {
      await acceptOfferLink(context, wallet, link)
      expectEqual('the number of mails', (await mailbox.list(email)).length, 1)
    })
  },
})
