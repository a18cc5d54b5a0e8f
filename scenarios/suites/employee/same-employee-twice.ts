import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { receiveOfferMail, requestEmployeeOffer } from '#scenarios/fixtures/portal.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'employee/same-employee-twice',
  title: '"I did not get the mail": a second one is a second credential',
  category: 'Employees',
  algorithms: ['ES256K'],
  description: `
The employee deleted the mail, and the representative asks again. The **second mail** brings another code;
the first one still works too, as it is another credential with a record of its own. Both are about the
same employee, by the number that the portal gave.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, row 5' },
    {
      document: 'Document 1',
      section: 'States and transitions, row 5 (a new request gives a new QR)',
    },
    { document: 'Assumptions', section: 'A-39, A-41' },
  ],

  async run(context) {
    const { step, uniqueName, mailbox } = context
    const wallet = context.createWallet()
    const email = `teo.${uniqueName}@example.org`
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { bearerToken, power } = organization
    const request = { email, power, employeeId: `T-${uniqueName}` }
    const ask = async () => {
      await requestEmployeeOffer(context, bearerToken, request)
      return (await receiveOfferMail(context, email)).link
    }

    const first = await step("The portal asks for an employee's credential", ask)
    const second = await step('It asks once more', ask)
    await step('There are two mails with two codes', async () => {
      expectTrue('the codes are different', first !== second)
      expectEqual('the number of mails', (await mailbox.list(email)).length, 2)
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
