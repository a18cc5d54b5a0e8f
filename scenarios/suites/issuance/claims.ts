import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { askIssuer, listRecords, requestOwnOffer } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectPresent,
  expectStatus,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/claims',
  title: 'What goes into a credential is told to the Connector, and to nobody else',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
The scenario plays the **Connector**, which asks the issuer for the claims before it signs. They are
personal data: without the API key, or with a Bearer token in its place, the answer is a 401 without
any of them. For a record that is revoked, or that there is not, there is nothing to sign: 404.`,
  references: [
    { document: 'Document 1', section: 'Authentication, row 2' },
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, rows 10, 11' },
    { document: 'Assumptions', section: 'A-20, A-22' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { bearerToken, power, representative, organizationIdentifier } = organization
    const ask = (headers: Readonly<Record<string, string>>, json: unknown) =>
      httpAs('connector').request(`${environment.issuerBaseUrl}/issuance/claims`, { json, headers })
    const apiKey = environment.apiKeys.issuer
    const withKey = { 'x-api-key': apiKey }

    const record = await step('The portal shows a QR', async () => {
      await requestOwnOffer(context, bearerToken, power)
      const [found] = await listRecords(context, organization)
      return expectPresent('the record', found)
    })
    const { subject_id, credential_id } = record
    await step('Without the right key: 401, and not a claim', async () => {
      for (const headers of [
        {},
        { 'x-api-key': '' },
        { 'x-api-key': `${apiKey}x` },
        { authorization: `Bearer ${bearerToken}` },
        { authorization: `Bearer ${apiKey}` },
      ]) {
        const body = expectJson(await ask(headers as Record<string, string>, { subject_id }), 401)
        expectEqual('the claims', body.claims, undefined)
      }
    })
    await step('With the key: who, for whom, and what', async () => {
      for (const json of [{ subject_id }, { credential_id }]) {
        const { claims, ...others } = expectJson(await ask(withKey, json), 200)
        expectIncludes('the answer', others, { credential_id, vc_type: record.vc_type })
        const { mandate } = claims as { mandate: Record<string, Record<string, unknown>> }
        expectEqual('the power', mandate.power, power)
        expectEqual(
          'the organization',
          mandate.mandator?.organizationIdentifier,
          organizationIdentifier,
        )
        expectEqual('the person', mandate.mandatee?.email, representative.email)
      }
    })
    await step('For nobody: 404; for what is no question: 400', async () => {
      for (const json of [{ subject_id: 'nobody' }, { subject_id, vc_type: 'DriversLicense' }]) {
        expectJson(await ask(withKey, json), 404)
      }
      for (const json of [{}, { subject_id: '' }, { subject_id: 7 }, []]) {
        expectJson(await ask(withKey, json), 400)
      }
    })
    await step('Once the record is revoked: 404', async () => {
      const json = { credential_id }
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
      expectJson(await ask(withKey, { subject_id }), 404)
    })
  },
})
