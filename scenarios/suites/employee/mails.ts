import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import {
  firstOrganization,
  foundOrganization,
  powersToRequest,
} from '#scenarios/fixtures/organizations.ts'
import { awaitRecord, receiveOfferMail, requestEmployeeOffer } from '#scenarios/fixtures/portal.ts'
import { photograph } from '#scenarios/fixtures/qr-images.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'

const byMail = defineScenario({
  id: 'employee/by-mail',
  title: 'An employee collects a credential from an email',
  description: `
A representative has a credential issued to an employee. The issuer confirms that it sent an
**email**, which contains the QR code of the offer.

The employee's wallet (with a \`did:jwk\`) reads the QR code from the received email, as the mail server
delivers it, and collects the credential.`,
  references: cite(
    'Profile: 1.endpoints/credential-issuer.5',
    'Profile: 1.what-the-service-does.1',
    'Profile: 1.resources-and-their-fields/supported-curves.1, 1.resources-and-their-fields/supported-curves.2',
    'Assumptions: A-41',
  ),

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
    const { link } = await step('The wallet reads the QR code from the received email', () =>
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

/** Unescapes an attribute's value as a browser or a mail client does. */
const unescapeHtml = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const mailParts = defineScenario({
  id: 'employee/mail-parts',
  title: 'An email works in every mail client: as text, as HTML and with its image',
  algorithms: ['EdDSA'],
  description: `
One employee reads the email on the phone with the wallet, which cannot scan its own screen: the text part
and the HTML part both contain the **link** to tap. Another employee reads it on a computer. The **QR
code** is displayed inline and comes only from the attached PNG, so that no mail client has to load
external content. All three contain the same link, and the email says what it is about and how long the
link is valid.`,
  references: cite(
    'Profile: 1.what-the-service-does.1',
    'Profile: 1.endpoints/credential-issuer.5',
    'Assumptions: A-41',
  ),

  async run(context) {
    const { step, uniqueName } = context
    const wallet = context.createWallet()
    const email = `marta.${uniqueName}@example.org`
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context, { organization: 'Aguas & Puertos "del Sur"' }),
    )
    const { power, bearerToken } = organization
    await step("The portal asks for an employee's credential", () =>
      requestEmployeeOffer(context, bearerToken, { email, power }),
    )
    const { mail, link } = await step('The email arrives with the PNG of a QR code', () =>
      receiveOfferMail(context, email),
    )
    await step('The subject contains the organization', () => {
      expectTrue(
        'the subject contains the organization',
        mail.subject.includes(organization.organization),
      )
      expectMatch('the sender', mail.from, /@/)
    })
    await step('The text part contains the link of the QR code', () => {
      const found = mail.text.match(/openid-credential-offer:\/\/\S+/g)
      expectEqual('links in the text', found, [link])
    })
    await step('The HTML part contains it too, and displays the attached image', () => {
      const [image] = mail.images
      const sources = [...mail.html.matchAll(/<img[^>]* src="([^"]*)"/g)].map(([, src]) => src)
      expectEqual('images in the HTML', sources, [
        `cid:${expectPresent('the image', image).contentId}`,
      ])
      const links = [...mail.html.matchAll(/<a[^>]* href="([^"]*)"/g)].map(([, href = '']) =>
        unescapeHtml(href),
      )
      expectEqual('links in the HTML', links, [link])
      expectEqual('what the HTML loads from other servers', mail.html.match(/src="https?:/g), null)
    })
    await step('Both say how long the link is valid', () => {
      expectMatch('the text', mail.text, /\b5 minutes\b/)
      expectMatch('the HTML', mail.html, /\b5 minutes\b/)
    })
    await step('The employee taps the link and receives the credential', () =>
      acceptOfferLink(context, wallet, link),
    )
  },
})

const mailWorksOnce = defineScenario({
  id: 'employee/mail-works-once',
  title: 'The second reader of a forwarded email does not get the credential',
  algorithms: ['ES256K'],
  description: `
The employee collects the credential and **forwards** the email with the link to a colleague. The link
has been used: the colleague's wallet receives \`invalid_grant\`, both when it scans the image and when
it opens the link, and does not hold a credential.`,
  references: cite('OpenID4VCI 1.0: 4.1.1 (short lived and single-use)', 'Assumptions: A-36'),

  async run(context) {
    const { step, uniqueName } = context
    const [employee, colleague] = [context.createWallet(), context.createWallet()]
    const email = `gil.${uniqueName}@example.org`
    await step("The portal asks for an employee's credential", async () => {
      const { bearerToken, power } = await foundOrganization(context)
      await requestEmployeeOffer(context, bearerToken, { email, power })
    })
    const { mail, link } = await step('The email arrives', () => receiveOfferMail(context, email))
    await step('The employee collects the credential', () =>
      acceptOfferLink(context, employee, link),
    )
    await step('The colleague scans the QR code and taps the link: both are rejected', async () => {
      const [inText = ''] = mail.text.match(/openid-credential-offer:\/\/\S+/) ?? []
      for (const each of [link, inText]) {
        await expectWalletRefusal('the forwarded offer', acceptOffer(colleague, each), {
          code: 'token_refused',
          status: 400,
          error: 'invalid_grant',
        })
      }
      expectEqual("the colleague's credentials", await colleague.store.listCredentials(), [])
    })
  },
})

const photographedQr = defineScenario({
  id: 'employee/photographed-qr',
  title: 'An employee photographs the QR code on the screen',
  algorithms: ['ES256K'],
  description: `
Employees scan a screen, not a file. The email is open on a screen, the phone is held **askew**, a shadow
falls across it, and the wallet's camera takes a JPEG. The code in the email must
still be readable, and contains the same link as the image itself.`,
  references: cite(
    'Profile: 1.what-the-service-does.1',
    'Profile: 1.resources-and-their-fields/credential-offer-object.5',
  ),

  async run(context) {
    const { step, uniqueName, attach } = context
    const wallet = context.createWallet()
    const email = `pau.${uniqueName}@example.org`
    await step("The portal asks for an employee's credential", async () => {
      const { bearerToken, power } = await foundOrganization(context)
      await requestEmployeeOffer(context, bearerToken, { email, power })
    })
    const { png, link } = await step('The email arrives with the PNG of a QR code', () =>
      receiveOfferMail(context, email),
    )
    const seen = await step('The employee photographs it from the screen', () => {
      const photo = photograph(png)
      const read = readQrImage(photo)
      attach('Photograph of the QR code', photo, 'image/jpeg', read)
      expectTrue('the camera reads it', read.ok, read.ok ? undefined : read.reason)
      return read.ok ? read.text : ''
    })
    await step('It contains the same link as the image, and yields the credential', async () => {
      expectEqual('what the camera read', seen, link)
      await acceptOfferLink(context, wallet, seen)
    })
  },
})

export const scenarios = [byMail, mailParts, mailWorksOnce, photographedQr]
