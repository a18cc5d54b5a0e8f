import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord, receiveOfferMail, requestEmployeeOffer } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'employee/by-mail',
  title: 'An employee collects a credential from an e-mail',
  category: 'Employees',
  description: `
A representative has a credential issued to an employee. The issuer confirms that it sent an
**e-mail**, and the QR of the offer is in it.

The employee's wallet (with a \`did:jwk\`) reads the QR from the received mail, as the mail server
hands it out, and collects the credential.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, row 5' },
    { document: 'Document 1', section: 'What the service does, row 1' },
    { document: 'Document 1', section: 'Supported curves, rows 1, 2' },
    { document: 'Assumptions', section: 'A-41' },
  ],

  async run(context) {
    const { step, control, uniqueName } = context
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const power = powersToRequest(organization)
    const email = `ana.${uniqueName}@example.org`
    const wallet = context.createWallet({ didMethod: 'jwk' })

    const bearerToken = await step("The representative gets a token issuer's Bearer token", () =>
      control.createBearerToken({ organizationIdentifier }),
    )
    await step("The portal asks for the employee's credential", () =>
      requestEmployeeOffer(context, bearerToken, { email, power }),
    )
    const { link } = await step('The wallet reads the QR from the received mail', () =>
      receiveOfferMail(context, email),
    )
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
