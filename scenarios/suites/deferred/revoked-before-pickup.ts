import { secondOrganization } from '#scenarios/fixtures/organizations.ts'
import { askToRevoke, listRecords } from '#scenarios/fixtures/portal.ts'
import { askForDeferred, deferCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectPresent,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'deferred/revoked-before-pickup',
  title: 'A credential that is revoked while it is prepared is never handed over',
  category: 'Deferred issuance',
  algorithms: ['EdDSA'],
  description: `
The wallet polls; the organization changes its mind. From **now on** every poll is refused with an error
that wallets do not take for "not yet", also when the credential would have been ready, and the record
stays revoked.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, rows 3, 8' },
    { document: 'Assumptions', section: 'A-22' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { organizationIdentifier } = secondOrganization(context)
    const owner = await step('An organization offers two credentials to one wallet', async () => ({
      bearerToken: await control.createBearerToken({ organizationIdentifier }),
      organizationIdentifier,
    }))
    const cases = [
      { what: 'that takes an hour', deferredSeconds: 3600 },
      { what: 'that is ready', deferredSeconds: 0 },
    ]
    for (const { what, deferredSeconds } of cases) {
      const { acceptanceToken, subjectId } = await step(`The wallet asks for one ${what}`, () =>
        deferCredential(context, wallet, { deferredSeconds, organizationIdentifier }),
      )
      const findRecord = async () => {
        const records = await listRecords(context, owner)
        const found = records.find(({ subject_id: id }) => id === subjectId)
        return expectPresent('the record', found)
      }
      await step('The organization revokes it', async () => {
        const { credential_id: id, status } = await findRecord()
        expectEqual('the status before', status, 'pending')
        expectJson(await askToRevoke(context, String(id), owner.bearerToken), 200)
      })
      await step('The wallet polls: refused, each time', async () => {
        for (let poll = 1; poll <= 2; poll++) {
          const body = expectJson(await askForDeferred(context, acceptanceToken), 400)
          expectEqual('the error', body.error, 'credential_request_denied')
          expectMatch('what a wallet can show', body.error_description, /\w/)
          expectEqual('the credential', body.credential, undefined)
        }
        expectEqual('the status after', (await findRecord()).status, 'revoked')
      })
    }
  },
})
