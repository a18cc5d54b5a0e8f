import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { receiveOfferMail, requestEmployeeOffer } from '#scenarios/fixtures/portal.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectMatch } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'employee/names-from-the-address',
  title: 'A request that names nobody still gives a complete mandate',
  category: 'Employees',
  algorithms: ['ES256K'],
  description: `
The documented request has an address and powers, no name and no employee number. But a verifier demands
\`mandatee.employeeId\`, so that the issuer **generates** one, another for each employee; names are read
from the address where it looks like one, and from its local part where it does not.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, row 5' },
    { document: 'Document 1', section: 'Credential schema rules checked on presentation, row 2' },
    { document: 'Assumptions', section: 'A-41' },
  ],

  async run(context) {
    const { step, uniqueName } = context
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
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
    await step('Each has a number of their own', () => {
      expectEqual('different numbers', new Set(numbers).size, cases.length)
    })
  },
})
