import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { firstOrganization } from '#scenarios/fixtures/organizations.ts'
import { listRecords, revokeCredential } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'time/credential-expires',
  title: 'A credential logs in until it expires, and can be revoked even then',
  category: 'Time',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
A wallet collects a credential. A minute before \`validUntil\` it logs its holder in, a minute after it
does not: the verifier refuses it for \`credential.expiry\`.

The issuer now lists the record as \`expired\`, which is shown and not stored, and an expired credential
can still be revoked.`,
  references: [
    { document: 'Document 1', section: 'Credential schema rules checked on presentation, row 5' },
    { document: 'Document 1', section: 'States and transitions, rows 3, 7' },
    { document: 'Assumptions', section: 'A-22' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const { organizationIdentifier } = firstOrganization(context)
    const wallet = context.createWallet()
    const { payload, credentialId } = await step('A wallet collects a credential', () =>
      collectCredential(context, wallet),
    )
    const statusOf = async () => {
      const bearerToken = await control.createBearerToken({ organizationIdentifier })
      const records = await listRecords(context, { organizationIdentifier, bearerToken })
      return records.find(({ credential_id }) => credential_id === credentialId)?.status
    }
    const end = Number(payload.exp)
    expectTrue('exp is in the future', end > context.now(), payload)
    try {
      await step('A minute before its end it logs its holder in', async () => {
        await control.advanceClock(end - context.now() - 60)
        await logIn(context, wallet)
      })
      await step('A minute after it does not', async () => {
        await control.advanceClock(120)
        await expectLoginRefused(context, wallet, 'credential.expiry')
      })
      await step('The issuer lists it as expired', async () => {
        expectEqual('the status', await statusOf(), 'expired')
      })
      await step('It can be revoked all the same', async () => {
        await revokeCredential(context, credentialId)
        expectEqual('the status', await statusOf(), 'revoked')
      })
    } finally {
      await control.resetClock()
    }
  },
})
