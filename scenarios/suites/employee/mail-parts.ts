import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { receiveOfferMail, requestEmployeeOffer } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

/** As a browser or a mail reader takes an attribute's value. */
const unescapeHtml = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

export const scenario = defineScenario({
  id: 'employee/mail-parts',
  title: 'The mail works in every mail reader: as text, as HTML, and by its image',
  category: 'Employees',
  algorithms: ['EdDSA'],
  description: `
One employee reads mail on the phone that holds the wallet and cannot scan its own screen: the **link**
is there to be tapped, in the text part as well as in the HTML part. Another reads it on a computer: the
**QR** is shown inline, from the attached PNG and from nowhere else, so that no mail reader has to load
anything. All three say the same, and the mail says what it is about and for how long it is good.`,
  references: [
    { document: 'Document 1', section: 'What the service does, row 1' },
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, row 5' },
    { document: 'Assumptions', section: 'A-41' },
  ],

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
