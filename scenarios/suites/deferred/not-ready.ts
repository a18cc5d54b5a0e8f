import { secondOrganization } from '#scenarios/fixtures/organizations.ts'
import { listRecords } from '#scenarios/fixtures/portal.ts'
import { askForDeferred, deferCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'deferred/not-ready',
  title: 'Not ready is 202, as often as one asks',
  category: 'Deferred issuance',
  algorithms: ['ES256K'],
  description: `
Somebody has to sign on paper first, which takes an hour. Each poll before that is a **202** with the
acceptance token to ask with again, and with \`Retry-After\`, so that a wallet need not guess. Asking
neither speeds it up nor spoils it, and the record is \`pending\` all the while.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 8' },
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, rows 12, 13' },
    { document: 'RFC 9110', section: '10.2.3' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { organizationIdentifier } = secondOrganization(context)
    const deferredSeconds = 3600

    const { acceptanceToken, subjectId } = await step('The wallet asks for a credential', () =>
      deferCredential(context, wallet, { deferredSeconds, organizationIdentifier }),
    )
    await step('It polls five times: 202 each', async () => {
      for (let poll = 1; poll <= 5; poll++) {
        const answer = await askForDeferred(context, acceptanceToken)
        const { acceptance_token, credential } = expectJson(answer, 202)
        expectEqual('the token to ask with again', acceptance_token, acceptanceToken)
        expectEqual('the credential', credential, undefined)
        const seconds = Number(answer.headers.get('retry-after'))
        const isSensible = seconds > deferredSeconds - 60 && seconds <= deferredSeconds
        expectTrue('Retry-After is the time that is left', isSensible, seconds)
      }
    })
    await step('The record is pending', async () => {
      const bearerToken = await control.createBearerToken({ organizationIdentifier })
      const records = await listRecords(context, { bearerToken, organizationIdentifier })
      const record = records.find(({ subject_id: id }) => id === subjectId)
      expectEqual('its status', record?.status, 'pending')
    })
  },
})
