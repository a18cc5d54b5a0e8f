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
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

const catalogue = { type: 'domain', domain: 'ORG', function: 'Catalogue', action: ['read'] }
const onboarding = { type: 'domain', domain: 'ORG', function: 'Onboarding', action: ['execute'] }

export const scenario = defineScenario({
  id: 'employee/other-organization',
  title: 'An employee of two organizations acts for each of them by another credential',
  category: 'Employees',
  algorithms: ['EdDSA'],
  description: `
Two organizations with different powers issue to the **same person**, at the same address. Each credential
says for whom it is and what it allows. Neither organization can give what only the other one may, see
the other's record, or revoke it.`,
  references: [
    { document: 'Document 1', section: 'Power object, row 6' },
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, rows 5, 7, 8' },
    { document: 'Document 1', section: 'Errors, row 3' },
    { document: 'Assumptions', section: 'A-40' },
  ],

  async run(context) {
    const { step, uniqueName } = context
    const wallet = context.createWallet()
    const email = `noa.${uniqueName}@example.org`
    const [one, other] = await step('Two organizations that may grant different things', () =>
      Promise.all([
        foundOrganization(context, { name: 'one', authorizedPowers: [catalogue] }),
        foundOrganization(context, { name: 'other', authorizedPowers: [onboarding] }),
      ]),
    )
    await step('Neither gives what only the other one may', async () => {
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
        expectEqual('for whom', mandator.organizationIdentifier, organizationIdentifier)
        expectEqual('the power', granted, power)
        await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
        ids.push(credentialId)
      })
    }
    await step('Each sees its own record alone, and cannot revoke the other one', async () => {
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
