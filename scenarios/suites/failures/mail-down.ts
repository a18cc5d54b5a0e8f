import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
import { askIssuer, listRecords } from '#scenarios/fixtures/portal.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'failures/mail-down',
  title: 'An employee gets the mail late when the mail server is away, but gets it',
  category: 'Failures',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
A portal has a credential issued to an employee while the mail server is away. The issuer answers 200
and says that the mail is **queued**, and not that it was sent: it took the order over, so it has to
keep it.

Once the mail server is back the mail arrives, once, with a QR that is fresh although the mail is late: the
offer is made when the mail is sent. The wallet collects the credential, and there is one record, not
two.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer' },
    { document: 'Assumptions', section: 'A-41' },
  ],

  async run(context) {
    const { step, mailbox, uniqueName } = context
    const wallet = context.createWallet()
    const email = `late.${uniqueName}@example.org`
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { bearerToken, power } = organization
    await step('The portal orders while the mail server is away', () =>
      whileBroken(context, 'mail-down', async () => {
        const answer = await askIssuer(context, 'employee', bearerToken, { email, power })
        const message = expectMatch('the message', expectJson(answer, 200).message, /queued/i)
        expectTrue('it does not say sent', !/has been sent/i.test(message), message)
        expectEqual('the mails', await mailbox.list(email), [])
      }),
    )
    const mail = await step('Once it is back the mail arrives', () => mailbox.receive(email))
    const credential = await step('The wallet reads its QR and collects the credential', () => {
      const image = expectPresent('an image in the mail', mail.images[0])
      return acceptOfferLink(context, wallet, readQr(context, 'QR in the mail', image.bytes))
    })
    await step("There is one record, the employee's, and one mail", async () => {
      const records = await listRecords(context, organization)
      const ids = records.map(({ credential_id }) => credential_id)
      expectEqual('the records', ids, [credential.credentialId])
      const { mandatee } = credential.vc.credentialSubject.mandate
      expectEqual("the mandatee's address", mandatee.email, email)
      expectEqual('the number of mails', (await mailbox.list(email)).length, 1)
    })
  },
})
