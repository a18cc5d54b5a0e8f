import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { receiveOfferMail, requestEmployeeOffer } from '#scenarios/fixtures/portal.ts'
import { photograph } from '#scenarios/fixtures/qr-images.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-image.ts'

export const scenario = defineScenario({
  id: 'employee/photographed-qr',
  title: 'An employee photographs the QR on the screen',
  category: 'Employees',
  algorithms: ['ES256K'],
  description: `
Nobody scans a file. The mail is open on a screen, the phone is held **askew**, a shadow falls across it,
and what the wallet's camera sees is a JPEG. The code in the mail is made so that it can be read all the
same, and says the same as the image itself.`,
  references: [
    { document: 'Document 1', section: 'What the service does, row 1' },
    { document: 'Document 1', section: 'credential_offer object, row 5' },
  ],

  async run(context) {
    const { step, uniqueName, attach } = context
    const wallet = context.createWallet()
    const email = `pau.${uniqueName}@example.org`
    await step("The portal asks for an employee's credential", async () => {
      const { bearerToken, power } = await foundOrganization(context)
      await requestEmployeeOffer(context, bearerToken, { email, power })
    })
    const { png, link } = await step('The mail arrives, with the PNG of a QR', () =>
      receiveOfferMail(context, email),
    )
    const seen = await step('The employee photographs it from the screen', () => {
      const photo = photograph(png)
      attach('What the camera sees', photo, 'image/jpeg')
      const read = readQrImage(photo)
      expectTrue('the camera reads it', read.ok, read.ok ? undefined : read.reason)
      return read.ok ? read.text : ''
    })
    await step('It says the same as the image, and brings the credential', async () => {
      expectEqual('what the camera read', seen, link)
      await acceptOfferLink(context, wallet, seen)
    })
  },
})
