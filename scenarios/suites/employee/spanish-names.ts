import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { receiveOfferMail, requestEmployeeOffer } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'employee/spanish-names',
  title: 'José María Núñez-Íñiguez gets a mail in Spanish, and logs in under his name',
  category: 'Employees',
  description: `
An employee with **ñ, accents and two surnames**. The portal gives names and employee number with the
request and asks for the mail in Spanish. Mail, credential and the claims of a login have the name as it
is written: it went through JSON, a database, SMTP, a JWT and another JWT.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, row 5' },
    { document: 'Document 1', section: 'IDP id_token claims (scope openid-vp-lear), row 1' },
    { document: 'Assumptions', section: 'A-41, A-42' },
  ],

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
    const { mail, link } = await step('The mail is in Spanish', async () => {
      const received = await receiveOfferMail(context, email)
      const { subject, text, html } = received.mail
      expectEqual('the subject', subject, `Su credencial de ${organization}`)
      expectMatch('the text', text, /Hola, José María:/)
      expectTrue('the HTML says so', html.includes('lang="es"'), html.slice(0, 200))
      return received
    })
    const credential = await step('The credential has the name as it is written', async () => {
      expectTrue('the mail greets him', mail.text.includes(name.firstName))
      const held = await acceptOfferLink(context, wallet, link)
      const { mandatee, mandator } = held.vc.credentialSubject.mandate
      expectIncludes('the mandatee', mandatee, { ...name, employeeId, email })
      expectEqual('the organization', mandator.organization, organization)
      return held
    })
    await step('He logs in, and is called by his name', async () => {
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
