import { obtainCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { firstOrganization } from '#scenarios/fixtures/organizations.ts'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import { awaitRecord } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectStatus } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'revocation/login-after-revocation',
  title: 'After its revocation a credential logs nobody in',
  category: 'Revocation',
  algorithms: ['EdDSA'],
  description: `
A credential logs its holder in. Then its organization revokes it:

- the issuer confirms, and lists the record as \`revoked\`,
- revoking it again is refused with 400, an unknown one with 404.

The wallet presents it once more in a new login. The post is answered with 200, as every
presentation's, but the session is \`FAILED\`, the page says why, and the browser does not come back
with a code.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, rows 3, 4, 7' },
    { document: 'Document 1', section: 'Errors, rows 5, 6' },
    { document: 'Assumptions', section: 'A-21, A-22, A-23' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const { organizationIdentifier } = firstOrganization(context)
    const wallet = context.createWallet()

    const { credential, bearerToken } = await step('A wallet holds a credential', () =>
      obtainCredential(context, wallet),
    )
    const { credentialId } = credential
    const revoke = (id: string) =>
      httpAs('portal').request(`${environment.issuerBaseUrl}/issuance/credential/revoke`, {
        json: { credential_id: id },
        headers: { authorization: `Bearer ${bearerToken}` },
      })

    await step('It logs its holder in', () => logIn(context, wallet))
    await step('The organization revokes it', async () => {
      expectEqual(
        'the confirmed status',
        expectJson(await revoke(credentialId), 200).status,
        'revoked',
      )
    })
    await step('The issuer lists it as revoked', () => {
      const record = {
        bearerToken,
        organizationIdentifier,
        credentialId,
        status: 'revoked',
      } as const
      return awaitRecord(context, record)
    })
    await step('It is revoked once only, and an unknown one not at all', async () => {
      expectStatus(await revoke(credentialId), 400)
      expectStatus(await revoke(createUuidUrn(context)), 404)
    })
    await step('A new login with it fails, and the page says so', () =>
      expectLoginRefused(context, wallet, 'credential.status'),
    )
  },
})
