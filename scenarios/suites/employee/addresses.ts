import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
  receiveOfferMail,
  requestEmployeeOffer,
} from '#scenarios/fixtures/portal.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

const cases = [
  {
    name: 'plus',
    what: 'a tag after a plus sign',
    make: (unique: string) => `eva+${unique}@example.org`,
  },
  {
    name: 'apostrophe',
    what: 'an apostrophe',
    make: (unique: string) => `d'angelo.${unique}@example.org`,
  },
  {
    name: 'capitals',
    what: 'capital letters',
    make: (unique: string) => `Eva.SANZ.${unique}@Example.Org`,
  },
  {
    name: 'subdomain',
    what: 'a domain with many labels',
    make: (unique: string) => `eva.sanz@${unique}.mail.almenara-norte.co.example.org`,
  },
  {
    name: 'longest-local-part',
    what: 'a local part of 64 characters',
    make: (unique: string) => `${`eva.${unique}`.padEnd(64, 'x')}@example.org`,
  },
  {
    name: 'underscore-and-digits',
    what: 'an underscore and digits',
    make: (unique: string) => `_007_${unique}@example.org`,
  },
] as const

const address = cases.map(({ name, what, make }, index) =>
  defineScenario({
    id: `employee/address-${name}`,
    title: `An email reaches an address with ${what}`,
    algorithms: oneAlgorithm(index),
    description: `
Addresses are more varied than most forms expect. The issuer accepts ${what}: the confirmation repeats
the address, the email arrives **there**, and the credential contains it unchanged.`,
    references: cite('Profile: 1.endpoints/credential-issuer.5', 'RFC 5321: 4.1.2, 4.5.3.1.1'),

    async run(context) {
      const { step, uniqueName } = context
      const wallet = context.createWallet()
      const email = make(uniqueName)
      await step(`The portal asks for the credential of ${email}`, async () => {
        const { bearerToken, power } = await foundOrganization(context)
        await requestEmployeeOffer(context, bearerToken, { email, power })
      })
      const { link } = await step('The email arrives', () => receiveOfferMail(context, email))
      await step('The credential contains the address unchanged', async () => {
        const { vc } = await fetchCredential(context, wallet, link)
        expectEqual('the address', vc.credentialSubject.mandate.mandatee.email, email)
      })
    },
  }),
)

const refusedAddress = defineScenario({
  id: 'employee/refused-address',
  title: 'An invalid address receives no email and cannot add another recipient',
  algorithms: ['EdDSA'],
  description: `
\`email\` is required. If it is missing or is not a single address, the response is the documented 400.
The cases include the tricks of spammers: a **second recipient** after a comma, a header after a line
break, a name in front of the address. The issuer does not send an email to the victim and does not
keep a record.`,
  references: cite(
    'Profile: 1.endpoints/credential-issuer.5',
    'Profile: 1.errors.2',
    'Assumptions: A-25',
  ),

  async run(context) {
    const { step, uniqueName, mailbox } = context
    const organization = await step('A representative of an organization', foundOrganization)
    const { power, bearerToken } = organization
    const victim = `victim.${uniqueName}@example.org`
    const refused = (json: object) =>
      step(`The portal sends ${JSON.stringify(json).slice(0, 80)}: 400`, async () => {
        const answer = await askIssuer(context, 'employee', bearerToken, { ...json, power })
        expectIssuerRefusal(answer, 400, documentedMessages.missingData)
      })

    await refused({})
    for (const email of [
      '',
      'eva',
      '@example.org',
      'eva@',
      'eva sanz@example.org',
      `eva@example.org, ${victim}`,
      `eva@example.org\r\nBcc: ${victim}`,
      `eva@example.org\nTo: ${victim}`,
      `"Eva" <${victim}>`,
      `${'x'.repeat(250)}@example.org`,
      [victim],
      7,
      null,
    ]) {
      await refused({ email })
    }
    await step('No email was sent, and there is no record', async () => {
      expectEqual('emails to the victim', await mailbox.list(victim), [])
      expectEqual('the records', await listRecords(context, organization), [])
    })
  },
})

export const scenarios = [...address, refusedAddress]
