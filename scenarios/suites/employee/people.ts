import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  askToRevoke,
  awaitRecord,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
  receiveOfferMail,
  requestEmployeeOffer,
} from '#scenarios/fixtures/portal.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const namesFromTheAddress = defineScenario({
  id: 'employee/names-from-the-address',
  title: 'A request without names still yields a complete mandate',
  algorithms: ['ES256K'],
  description: `
The documented request has an address and powers, but no name or employee number. As a verifier requires
\`mandatee.employeeId\`, the issuer **generates** a different one for each employee. It derives the names
from the address if it looks like a name, and otherwise from its local part.`,
  references: cite(
    'Profile: 1.endpoints/credential-issuer.5',
    'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.2',
    'Assumptions: A-41',
  ),

  async run(context) {
    const { step, uniqueName } = context
    const organization = await step('A representative of an organization', foundOrganization)
    const { bearerToken, power } = organization
    const cases = [
      { email: `ana.ruiz@${uniqueName}.example`, firstName: 'Ana', lastName: 'Ruiz' },
      { email: `ops7@${uniqueName}.example`, firstName: 'ops7', lastName: 'ops7' },
    ]
    const numbers: string[] = []
    for (const { email, firstName, lastName } of cases) {
      await step(`${email} becomes ${firstName} ${lastName}`, async () => {
        await requestEmployeeOffer(context, bearerToken, { email, power })
        const { link } = await receiveOfferMail(context, email)
        const { vc } = await fetchCredential(context, context.createWallet(), link)
        const { mandatee } = vc.credentialSubject.mandate
        expectIncludes('the mandatee', mandatee, { email, firstName, lastName })
        numbers.push(expectMatch("the employee's number", mandatee.employeeId, /\S/))
      })
    }
    await step('Each has a different number', () => {
      expectEqual('different numbers', new Set(numbers).size, cases.length)
    })
  },
})

const spanishNames = defineScenario({
  id: 'employee/spanish-names',
  title: 'José María Núñez-Íñiguez gets an email in Spanish and logs in under that name',
  description: `
An employee with **ñ, accents and two surnames**. The portal sends names and employee number in the
request and asks for the email in Spanish. Email, credential and the claims of a login contain the name
unchanged, after it went through JSON, a database, SMTP, a JWT and another JWT.`,
  references: cite(
    'Profile: 1.endpoints/credential-issuer.5',
    'Profile: 1.resources-and-their-fields/idp-id-token-claims.1',
    'Assumptions: A-41, A-42',
  ),

  async run(context) {
    const { step, uniqueName } = context
    const wallet = context.createWallet()
    const email = `jm.nunez.${uniqueName}@example.org`
    const name = { firstName: 'José María', lastName: 'Núñez-Íñiguez de la Peña' }
    const employeeId = `Ñ-${uniqueName}`
    const organization = 'Compañía Española de Cañerías, S. L.'

    await step("The portal asks for the employee's credential", async () => {
      const { bearerToken, power } = await foundOrganization(context, { organization })
      const request = { email, power, employeeId, ...name, language: 'es' }
      await requestEmployeeOffer(context, bearerToken, request)
    })
    const { mail, link } = await step('The email is in Spanish', async () => {
      const received = await receiveOfferMail(context, email)
      const { subject, text, html } = received.mail
      expectEqual('the subject', subject, `Su credencial de ${organization}`)
      expectMatch('the text', text, /Hola, José María:/)
      expectTrue('the HTML declares Spanish', html.includes('lang="es"'), html.slice(0, 200))
      return received
    })
    const credential = await step('The credential contains the name unchanged', async () => {
      expectTrue('the email greets the employee by name', mail.text.includes(name.firstName))
      const held = await acceptOfferLink(context, wallet, link)
      const { mandatee, mandator } = held.vc.credentialSubject.mandate
      expectIncludes('the mandatee', mandatee, { ...name, employeeId, email })
      expectEqual('the organization', mandator.organization, organization)
      return held
    })
    await step('The employee logs in, and the claims contain the name', async () => {
      const { idTokenClaims } = await logIn(context, wallet)
      expectIncludes('the claims', idTokenClaims, expectedClaims(credential))
      expectIncludes('the names', idTokenClaims, {
        given_name: name.firstName,
        family_name: name.lastName,
        name: `${name.firstName} ${name.lastName}`,
      })
    })
  },
})

const sameEmployeeTwice = defineScenario({
  id: 'employee/same-employee-twice',
  title: 'A second request after a lost email creates a second credential',
  algorithms: ['ES256K'],
  description: `
The employee deleted the email, and the representative asks again. The **second email** has a different
code. The first code still works too, as it belongs to another credential with a separate record. Both
credentials are about the same employee, with the number that the portal sent.`,
  references: cite(
    'Profile: 1.endpoints/credential-issuer.5',
    'Profile: 1.states-and-transitions.5',
    'Assumptions: A-39, A-41',
  ),

  async run(context) {
    const { step, uniqueName, mailbox } = context
    const wallet = context.createWallet()
    const email = `teo.${uniqueName}@example.org`
    const organization = await step('A representative of an organization', foundOrganization)
    const { bearerToken, power } = organization
    const request = { email, power, employeeId: `T-${uniqueName}` }
    const ask = async () => {
      await requestEmployeeOffer(context, bearerToken, request)
      return (await receiveOfferMail(context, email)).link
    }

    const first = await step("The portal asks for an employee's credential", ask)
    const second = await step('The portal asks once more', ask)
    await step('There are two emails with two codes', async () => {
      expectTrue('the codes are different', first !== second)
      expectEqual('the number of emails', (await mailbox.list(email)).length, 2)
    })
    await step('Both work, and both are about the same employee', async () => {
      const one = await fetchCredential(context, wallet, second)
      const other = await fetchCredential(context, wallet, first)
      expectTrue('they are two credentials', one.credentialId !== other.credentialId)
      for (const { vc } of [one, other]) {
        const { employeeId } = vc.credentialSubject.mandate.mandatee
        expectEqual("the employee's number", employeeId, request.employeeId)
      }
    })
  },
})

const count = 4

const severalEmployees = defineScenario({
  id: 'employee/several-employees',
  title: 'Each employee gets a separate email and credential',
  algorithms: ['EdDSA'],
  description: `
On a Monday the portal requests the credentials of ${count} new employees **at the same time**. Each gets
one email with a separate code; codes and recipients are never mixed up. They collect at different
times, and each credential is about the recipient of the email.`,
  references: cite(
    'Profile: 1.endpoints/credential-issuer.5, 1.endpoints/credential-issuer.7',
    'Assumptions: A-39, A-41',
  ),

  async run(context) {
    const { step, uniqueName, mailbox } = context
    const organization = await step('A representative of an organization', foundOrganization)
    const { bearerToken, power } = organization
    const addresses = Array.from(
      { length: count },
      (_, index) => `no${index}.${uniqueName}@a.example`,
    )

    await step(`The portal requests ${count} credentials at the same time`, () =>
      Promise.all(
        addresses.map((email) => requestEmployeeOffer(context, bearerToken, { email, power })),
      ),
    )
    const links = await step('Each employee has one email', async () => {
      const found: string[] = []
      for (const email of addresses) {
        const { link } = await receiveOfferMail(context, email)
        expectEqual(`emails to ${email}`, (await mailbox.list(email)).length, 1)
        found.push(link)
      }
      expectEqual('different links', new Set(found).size, count)
      return found
    })
    const ids = await step('Each employee collects the credential', async () => {
      const collected: string[] = []
      for (const [index, link] of links.entries()) {
        const { vc, credentialId } = await fetchCredential(context, context.createWallet(), link)
        const { mandatee } = vc.credentialSubject.mandate
        expectEqual('the employee', mandatee.email, addresses[index])
        collected.push(credentialId)
      }
      return collected
    })
    await step('The organization has that many issued records', async () => {
      for (const credentialId of ids) {
        await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
      }
      const records = await listRecords(context, organization)
      const found = records.map(({ credential_id: id }) => String(id))
      expectEqual('the credentials', found.toSorted(), ids.toSorted())
    })
  },
})

const catalogue = { type: 'domain', domain: 'ORG', function: 'Catalogue', action: ['read'] }

const onboarding = { type: 'domain', domain: 'ORG', function: 'Onboarding', action: ['execute'] }

const otherOrganization = defineScenario({
  id: 'employee/other-organization',
  title: 'An employee of two organizations has a separate credential for each of them',
  algorithms: ['EdDSA'],
  description: `
Two organizations with different powers issue to the **same person**, at the same address. Each credential
names its organization and the powers. Neither organization can grant a power of the other, see the
other's record, or revoke it.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/power-object.6',
    'Profile: 1.endpoints/credential-issuer.5, 1.endpoints/credential-issuer.7, 1.endpoints/credential-issuer.8',
    'Profile: 1.errors.3',
    'Assumptions: A-40',
  ),

  async run(context) {
    const { step, uniqueName } = context
    const wallet = context.createWallet()
    const email = `noa.${uniqueName}@example.org`
    const [one, other] = await step('Two organizations with different powers to grant', () =>
      Promise.all([
        foundOrganization(context, { name: 'one', authorizedPowers: [catalogue] }),
        foundOrganization(context, { name: 'other', authorizedPowers: [onboarding] }),
      ]),
    )
    await step('Neither can grant a power of the other', async () => {
      for (const [{ bearerToken }, { power }] of [
        [one, other],
        [other, one],
      ] as const) {
        const answer = await askIssuer(context, 'employee', bearerToken, { email, power })
        expectIssuerRefusal(answer, 400, documentedMessages.powersNotAuthorized)
      }
    })
    const ids: string[] = []
    for (const organization of [one, other]) {
      await step(`${organization.organizationIdentifier} issues to the employee`, async () => {
        const { bearerToken, power, organizationIdentifier } = organization
        await requestEmployeeOffer(context, bearerToken, { email, power })
        const { link } = await receiveOfferMail(context, email)
        const { vc, credentialId } = await fetchCredential(context, wallet, link)
        const { mandator, power: granted } = vc.credentialSubject.mandate
        expectEqual('the organization', mandator.organizationIdentifier, organizationIdentifier)
        expectEqual('the power', granted, power)
        await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
        ids.push(credentialId)
      })
    }
    await step('Each sees only its own record and cannot revoke the other', async () => {
      for (const [index, organization] of [one, other].entries()) {
        const records = await listRecords(context, organization)
        const found = records.map(({ credential_id: id }) => id)
        expectEqual('its records', found, [ids[index]])
        const strange = String(ids[1 - index])
        const { bearerToken } = organization
        expectIssuerRefusal(await askToRevoke(context, strange, bearerToken), 403)
      }
    })
  },
})

export const scenarios = [
  namesFromTheAddress,
  spanishNames,
  sameEmployeeTwice,
  severalEmployees,
  otherOrganization,
]
