import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { secondOrganization } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord } from '#scenarios/fixtures/portal.ts'
import { askForDeferred, deferCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectMatch } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'deferred/ready-at-once',
  title: 'A deferred credential is handed over in the shape of an immediate one',
  category: 'Deferred issuance',
  description: `
The credential endpoint answers with an \`acceptance_token\` and a \`c_nonce\` in place of the
credential. By the first poll it is ready: **200**, with \`format\` and \`credential\` as the credential
endpoint itself would have answered, and about the DID that the proof was made with. The record is
issued only now.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, rows 11 to 13' },
    { document: 'Document 1', section: 'States and transitions, row 9' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { organizationIdentifier } = secondOrganization(context)

    const { acceptanceToken } = await step('The wallet asks, and gets an acceptance token', () =>
      deferCredential(context, wallet, { deferredSeconds: 0, organizationIdentifier }),
    )
    const credential = await step('It polls: 200 with the credential', async () => {
      const answer = await askForDeferred(context, acceptanceToken)
      const { format, credential, ...others } = expectJson(answer, 200)
      expectEqual('the format', format, 'jwt_vc_json')
      expectEqual('further members', others, {})
      expectMatch('cache-control', answer.headers.get('cache-control'), /no-store/)
      return readCredential(String(credential))
    })
    await step('It is about the DID of the proof, and the record is issued', async () => {
      expectEqual('sub', credential.payload.sub, wallet.account.did)
      const bearerToken = await control.createBearerToken({ organizationIdentifier })
      const { credentialId } = credential
      const owner = { bearerToken, organizationIdentifier }
      await awaitRecord(context, { ...owner, credentialId, status: 'issued' })
    })
  },
})
