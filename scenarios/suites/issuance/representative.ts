import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord, requestOwnOffer } from '#scenarios/fixtures/portal.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/representative',
  title: 'A representative collects a personal credential',
  description: `
Through a portal, a representative asks the issuer for a credential with a power that the management API
authorizes for the organization. The response is the **PNG of a QR code**.

The wallet reads the image, redeems the offer with the pre-authorized code flow and proves possession
of its key. It keeps the credential because

- it has the offered types and is about the wallet's own DID (\`did:key\`),
- it is valid now,
- a key signed it that the issuer's DID document lists for assertions.

In the end the issuer's record is \`issued\`.`,
  references: cite(
    'Profile: 1.endpoints/credential-issuer',
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet',
    'Profile: 1.resources-and-their-fields/proof-of-possession-jwt',
    'Assumptions: A-22, A-27',
  ),

  async run(context) {
    const { step, control, environment, algorithm } = context
    const organization = firstOrganization(context)
    const { organizationIdentifier, representative } = organization
    const power = powersToRequest(organization)
    const wallet = context.createWallet({ didMethod: 'key' })

    const bearerToken = await step("The representative gets a token issuer's Bearer token", () =>
      control.createBearerToken({ organizationIdentifier }),
    )
    const png = await step('The portal requests a credential and gets a QR code', () =>
      requestOwnOffer(context, bearerToken, power),
    )
    const link = await step('The wallet reads the QR code', () => {
      const text = readQr(context, 'QR code of the offer', png)
      return expectMatch('the text of the QR code', text, /^openid-credential-offer:\/\/\?/)
    })
    const credential = await step('The wallet redeems the offer and keeps the credential', () =>
      acceptOfferLink(context, wallet, link),
    )

    await step('The credential contains the person, the power and the organization', () => {
      const { vc, header, payload } = credential
      const { mandator, mandatee, power: granted } = vc.credentialSubject.mandate
      expectEqual('the DID of the subject', vc.credentialSubject.id, wallet.account.did)
      expectEqual("the algorithm of the wallet's key", wallet.account.algorithm, algorithm)
      expectEqual('the power', granted, power)
      expectEqual('the organization', mandator.organizationIdentifier, organizationIdentifier)
      expectEqual("the mandatee's address", mandatee.email, representative.email)
      const { did, vMethodId } = environment.trustChain.issuer
      expectEqual("the issuer's DID", payload.iss, did)
      expectEqual('the key that signed', header.kid, `${did}#${vMethodId}`)
      expectMatch('the credential_id', credential.credentialId, /^urn:uuid:[0-9a-f-]{36}$/)
      expectTrue(
        "termsOfUse points to the issuer's accreditation in the TIR of this environment",
        JSON.stringify(vc.termsOfUse).includes(environment.tirBaseUrl),
        vc.termsOfUse,
      )
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
