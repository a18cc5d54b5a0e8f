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
  title: 'An employee collects a credential from an e-mail',
  description: `
A representative has a credential issued to an employee. The issuer confirms that it sent an
**e-mail**, and the QR of the offer is in it.

The employee's wallet (with a \`did:jwk\`) reads the QR from the received mail, as the mail server
hands it out, and collects the credential.`,
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

/** As a browser or a mail reader takes an attribute's value. */
const unescapeHtml = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const mailParts = defineScenario({
  id: 'employee/mail-parts',
  title: 'The mail works in every mail reader: as text, as HTML, and by its image',
  algorithms: ['EdDSA'],
  description: `
One employee reads mail on the phone that holds the wallet and cannot scan its own screen: the **link**
is there to be tapped, in the text part as well as in the HTML part. Another reads it on a computer: the
**QR** is shown inline, from the attached PNG and from nowhere else, so that no mail reader has to load
anything. All three say the same, and the mail says what it is about and for how long it is good.`,
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
    const { mail, link } = await step('The mail arrives, with the PNG of a QR', () =>
      receiveOfferMail(context, email),
    )
    await step('Its subject says from whom it is', () => {
      expectTrue('the organization is in it', mail.subject.includes(organization.organization))
      expectMatch('the sender', mail.from, /@/)
    })
    await step('The text part has the link of the QR', () => {
      const found = mail.text.match(/openid-credential-offer:\/\/\S+/g)
      expectEqual('links in the text', found, [link])
    })
    await step('The HTML part has it too, and shows the attached image', () => {
      const [image] = mail.images
      const sources = [...mail.html.matchAll(/<img[^>]* src="([^"]*)"/g)].map(([, src]) => src)
      expectEqual('images in the HTML', sources, [`cid:${expectPresent('it', image).contentId}`])
      const links = [...mail.html.matchAll(/<a[^>]* href="([^"]*)"/g)].map(([, href = '']) =>
        unescapeHtml(href),
      )
      expectEqual('links in the HTML', links, [link])
      expectEqual('what the HTML loads from elsewhere', mail.html.match(/src="https?:/g), null)
    })
    await step('Both say for how long it is good', () => {
      expectMatch('the text', mail.text, /\b5 minutes\b/)
      expectMatch('the HTML', mail.html, /\b5 minutes\b/)
    })
    await step('The employee taps the link: the credential comes', () =>
      acceptOfferLink(context, wallet, link),
    )
  },
})

const mailWorksOnce = defineScenario({
  id: 'employee/mail-works-once',
  title: 'A mail that is forwarded brings the second reader nothing',
  algorithms: ['ES256K'],
  description: `
The employee collects the credential and **forwards** the mail to a colleague, link and all. The link is
used: the colleague's wallet is refused with \`invalid_grant\`, whether it scans the image or taps the
link, and holds nothing.`,
  references: cite('OpenID4VCI 1.0: 4.1.1 (short lived and single-use)', 'Assumptions: A-36'),

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

const photographedQr = defineScenario({
  id: 'employee/photographed-qr',
  title: 'An employee photographs the QR on the screen',
  algorithms: ['ES256K'],
  description: `
Nobody scans a file. The mail is open on a screen, the phone is held **askew**, a shadow falls across it,
and what the wallet's camera sees is a JPEG. The code in the mail is made so that it can be read all the
same, and says the same as the image itself.`,
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

export const scenarios = [byMail, mailParts, mailWorksOnce, photographedQr]
