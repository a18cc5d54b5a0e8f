import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { secondOrganization } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord } from '#scenarios/fixtures/portal.ts'
import { askForDeferred, deferCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectTrue } from '#scenarios/harness/expectations.ts'

const hour = 3600

export const scenario = defineScenario({
  id: 'deferred/ready-after-an-hour',
  title: 'A credential that takes an hour is there after an hour, and valid from then',
  category: 'Deferred issuance',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The scenario moves the testbed's **clock**. Shortly before the hour is over the poll is still a 202,
shortly after it the same acceptance token brings the credential. It begins to be valid when it is
handed over, not when it was asked for: what a verifier learns from \`iat\` is when the issuer's key
signed.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, rows 8, 9' },
    { document: 'Assumptions', section: 'A-28, A-44' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { organizationIdentifier } = secondOrganization(context)

    const { acceptanceToken } = await step('The wallet asks for a credential', () =>
      deferCredential(context, wallet, { deferredSeconds: hour, organizationIdentifier }),
    )
    const asked = context.now()
    await step('Almost an hour passes: 202', async () => {
      await control.advanceClock(hour - 120)
      expectJson(await askForDeferred(context, acceptanceToken), 202)
    })
    const credential = await step('The hour is over: the same token brings it', async () => {
      await control.advanceClock(240)
      const { format, credential } = expectJson(await askForDeferred(context, acceptanceToken), 200)
      expectEqual('the format', format, 'jwt_vc_json')
      return readCredential(String(credential))
    })
    await step('It is valid from now on', () => {
      const { iat, nbf } = credential.payload as Record<string, number>
      const now = context.now()
      expectTrue('iat is now', Math.abs(Number(iat) - now) < 60, [iat, now])
      expectEqual('nbf', nbf, iat)
      expectTrue('and not when it was asked for', Number(iat) >= asked + hour, [iat, asked])
    })
    await step('The record is issued', async () => {
      const bearerToken = await control.createBearerToken({ organizationIdentifier })
      const owner = { bearerToken, organizationIdentifier }
      const { credentialId } = credential
      await awaitRecord(context, { ...owner, credentialId, status: 'issued' })
    })
  },
})
