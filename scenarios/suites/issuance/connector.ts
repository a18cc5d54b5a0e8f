import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import {
  askIssuer,
  type IssuedRecord,
  listRecords,
  requestOwnOffer,
} from '#scenarios/fixtures/portal.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectPresent,
  expectStatus,
} from '#scenarios/harness/expectations.ts'

const claims = defineScenario({
  id: 'issuance/claims',
  title: 'The issuer returns the claims of a credential only to the Connector',
  algorithms: ['EdDSA'],
  description: `
The scenario plays the **Connector**, which asks the issuer for the claims before it signs. They are
personal data: without the API key, or with a Bearer token instead of it, the response is a 401 without
claims. A revoked or unknown record must not be signed: 404.`,
  references: cite(
    'Profile: 1.authentication.2',
    'Profile: 1.endpoints/credential-issuer.10, 1.endpoints/credential-issuer.11',
    'Assumptions: A-20, A-22',
  ),

  async run(context) {
    const { step, environment, httpAs } = context
    const organization = await step('A representative of an organization', foundOrganization)
    const { bearerToken, power, representative, organizationIdentifier } = organization
    const ask = (headers: Readonly<Record<string, string>>, json: unknown) =>
      httpAs('connector').request(`${environment.issuerBaseUrl}/issuance/claims`, { json, headers })
    const apiKey = environment.apiKeys.issuer
    const withKey = { 'x-api-key': apiKey }

    const record = await step('The portal shows a QR code', async () => {
      await requestOwnOffer(context, bearerToken, power)
      const [found] = await listRecords(context, organization)
      return expectPresent('the record', found)
    })
    const { subject_id, credential_id } = record
    await step('Without the right key: 401 without claims', async () => {
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
    await step('With the key: the person, the organization and the power', async () => {
      for (const json of [{ subject_id }, { credential_id }]) {
        const { claims, ...others } = expectJson(await ask(withKey, json), 200)
        expectIncludes('the response', others, { credential_id, vc_type: record.vc_type })
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
    await step('For an unknown record: 404; for an invalid request: 400', async () => {
      for (const json of [{ subject_id: 'nobody' }, { subject_id, vc_type: 'DriversLicense' }]) {
        expectJson(await ask(withKey, json), 404)
      }
      for (const json of [{}, { subject_id: '' }, { subject_id: 7 }, []]) {
        expectJson(await ask(withKey, json), 400)
      }
    })
    await step('After the record is revoked: 404', async () => {
      const json = { credential_id }
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
      expectJson(await ask(withKey, { subject_id }), 404)
    })
  },
})

const notification = defineScenario({
  id: 'issuance/notification',
  title: 'Issuance confirmations are authenticated and can be repeated',
  algorithms: ['ES256K'],
  description: `
The scenario plays the **Connector** and posts the issuance confirmation itself.

- With a wrong API key, or without one, the record stays \`pending\`: the documented case.
- With the right key it becomes \`issued\`. The issuer accepts the same confirmation again, since a
  Connector that did not receive a response must repeat it.
- A late \`failed\` does not undo the issuance.
- After a revocation a late confirmation leaves the record \`revoked\`.
- For an unknown record the response is a 404.`,
  references: cite(
    'Profile: 1.states-and-transitions.1, 1.states-and-transitions.3',
    'Profile: 1.authentication.2',
    'Profile: 1.events.1',
    'Assumptions: A-19, A-22',
  ),

  async run(context) {
    const { step, environment, httpAs } = context
    const organization = await step('A representative of an organization', foundOrganization)
    const { bearerToken, power } = organization
    const readRecord = async (): Promise<IssuedRecord> => {
      const [record] = await listRecords(context, organization)
      return expectPresent('the record', record)
    }
    const notify = (apiKey: string | undefined, json: unknown) =>
      httpAs('connector').request(`${environment.issuerBaseUrl}/issuance/notifications`, {
        json,
        headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
      })
    const { issuer: apiKey } = environment.apiKeys
    const expectRecordStatus = async (expected: string) =>
      expectEqual("the record's status", (await readRecord()).status, expected)

    const { subject_id, credential_id } = await step('The portal shows a QR code', async () => {
      await requestOwnOffer(context, bearerToken, power)
      return readRecord()
    })
    const issued = { subject_id, credential_id, event: 'issued' }
    await step(
      'Confirmed with a wrong key, or without one: 401, the record stays pending',
      async () => {
        for (const key of [undefined, '', `${apiKey}x`, apiKey.slice(1), apiKey.toUpperCase()]) {
          expectJson(await notify(key, issued), 401)
        }
        await expectRecordStatus('pending')
      },
    )
    await step('A failed issuance leaves it pending', async () => {
      expectStatus(await notify(apiKey, { ...issued, event: 'failed', reason: 'no wallet' }), 200)
      await expectRecordStatus('pending')
    })
    await step('Confirmed: the record is issued; repeated: the same response', async () => {
      for (let time = 1; time <= 2; time++) {
        const answer = expectJson(await notify(apiKey, issued), 200)
        expectIncludes('the response', answer, { credential_id, status: 'issued' })
        await expectRecordStatus('issued')
      }
    })
    await step('A late failure, or another credential, has no effect', async () => {
      expectStatus(await notify(apiKey, { ...issued, event: 'failed' }), 200)
      const other = { ...issued, credential_id: createUuidUrn(context) }
      expectJson(await notify(apiKey, other), 400)
      await expectRecordStatus('issued')
      expectEqual('its credential_id', (await readRecord()).credential_id, credential_id)
    })
    await step('An invalid notification is a 400, an unknown record a 404', async () => {
      for (const json of [{}, { subject_id }, { subject_id, event: 'sold' }, { event: 'issued' }]) {
        expectJson(await notify(apiKey, json), 400)
      }
      expectJson(await notify(apiKey, { subject_id: 'nobody', event: 'issued' }), 404)
    })
    await step('Revoked: a late confirmation leaves the record revoked', async () => {
      const json = { credential_id }
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
      for (const late of [issued, { credential_id, event: 'issued' }]) {
        const answer = expectJson(await notify(apiKey, late), 200)
        expectIncludes('the response', answer, { credential_id, status: 'revoked' })
      }
      await expectRecordStatus('revoked')
    })
  },
})

export const scenarios = [claims, notification]
