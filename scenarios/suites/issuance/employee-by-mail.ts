import { acceptOfferLink } from '#scenarios/fixtures/accept-offer-link.ts'
import { awaitRecord } from '#scenarios/fixtures/await-record.ts'
import { firstOrganization } from '#scenarios/fixtures/first-organization.ts'
import { powersToRequest } from '#scenarios/fixtures/powers-to-request.ts'
import { readQr } from '#scenarios/fixtures/read-qr.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectPresent,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/employee-by-mail',
  title: 'An employee collects a credential from an e-mail',
  category: 'Issuance',
  description: `
A representative has a credential issued to an employee. The issuer confirms that it sent an
**e-mail**, and the QR of the offer is in it.

The employee's wallet (with a \`did:jwk\`) reads the QR from the received mail, as the mail server
hands it out, and collects the credential.`,
  references: [
    { document: 'Document 1', section: 'Endpoints: Credential Issuer' },
    { document: 'Document 1', section: 'Supported curves' },
    { document: 'Assumptions', section: 'A-41' },
  ],

  async run(context) {
    const { step, control, environment, httpAs, mailbox, uniqueName, attach } = context
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const power = powersToRequest(organization)
    const email = `ana.${uniqueName}@example.org`
    const wallet = context.createWallet({ didMethod: 'jwk' })

    const bearerToken = await step("The representative gets a token issuer's Bearer token", () =>
      control.createBearerToken({ organizationIdentifier }),
    )
    await step("The portal asks for the employee's credential", async () => {
      const answer = await httpAs('portal').request(
        `${environment.issuerBaseUrl}/issuance/employee`,
        { json: { email, power }, headers: { authorization: `Bearer ${bearerToken}` } },
      )
      const { message } = expectJson(answer, 200)
      expectMatch('the message', message, new RegExp(email.replaceAll('.', '\\.')))
    })
    const mail = await step('The mail is there', async () => {
      const received = await mailbox.receive(email)
      attach('Text of the mail', `${received.subject}\n\n${received.text}`, 'text/plain')
      return received
    })
    const link = await step('The wallet reads the QR from the mail', () => {
      const image = expectPresent('an image in the mail', mail.images[0])
      expectEqual('its type', image.mimeType, 'image/png')
      const text = readQr(context, 'QR in the mail', image.bytes)
      return expectMatch('the text of the QR', text, /^openid-credential-offer:\/\/\?/)
    })
    const credential = await step('The wallet redeems the offer and keeps the credential', () =>
      acceptOfferLink(context, wallet, link),
    )
    await step("The credential is the employee's", () => {
      const { mandator, mandatee, power: granted } = credential.vc.credentialSubject.mandate
      expectEqual("the mandatee's address", mandatee.email, email)
      expectEqual('the organization', mandator.organizationIdentifier, organizationIdentifier)
      expectEqual('the power', granted, power)
      expectMatch("the employee's number", mandatee.employeeId, /./)
    })
    await step("The issuer's record is issued", () => {
      const { credentialId } = credential
      return awaitRecord(context, {
        bearerToken,
        organizationIdentifier,
        credentialId,
        status: 'issued',
      })
    })
  },
})
