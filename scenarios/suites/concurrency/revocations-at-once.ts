import { takeOffer } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginRefused } from '#scenarios/fixtures/log-in.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { askToRevoke, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { atOnce } from '#scenarios/harness/waiting.ts'

const requests = 10

export const scenario = defineScenario({
  id: 'concurrency/revocations-at-once',
  title: 'Of ten revocations of one credential at once exactly one is confirmed',
  category: 'Concurrency',
  algorithms: ['EdDSA'],
  description: `
${requests} administrators revoke the same credential in the same moment. A revocation is confirmed
once: exactly one is answered 200, the others 400, as the credential is revoked already. The record is
\`revoked\`, and the next login with the credential fails.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, rows 3, 4' },
    { document: 'Document 1', section: 'Errors, row 6' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { bearerToken } = organization
    const { credentialId } = await step('A wallet collects a credential', async () =>
      takeOffer(wallet, await ownOfferLink(context, organization)),
    )
    await step(`${requests} revocations come at once: one is confirmed`, async () => {
      const answers = await atOnce(requests, () => askToRevoke(context, credentialId, bearerToken))
      const statuses = answers.map(({ status }) => status).sort()
      expectEqual('the statuses', statuses, [200, ...Array(requests - 1).fill(400)])
    })
    await step('The record is revoked', async () => {
      const [record] = await listRecords(context, organization)
      expectEqual('the status', record?.status, 'revoked')
    })
    await step('The next login fails', () =>
      expectLoginRefused(context, wallet, 'credential.status'),
    )
  },
})
