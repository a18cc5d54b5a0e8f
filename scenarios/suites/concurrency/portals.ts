import { takeOffer } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginRefused } from '#scenarios/fixtures/log-in.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { askToRevoke, awaitRecord, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectStatus } from '#scenarios/harness/expectations.ts'
import { atOnce } from '#scenarios/harness/waiting.ts'

const requests = 10

const revocationsAtOnce = defineScenario({
  id: 'concurrency/revocations-at-once',
  title: 'Of ten simultaneous revocations of one credential, exactly one is confirmed',
  algorithms: ['EdDSA'],
  description: `
${requests} administrators revoke the same credential at the same moment. A revocation is confirmed
once: exactly one response is 200, the others are 400, as the credential is already revoked. The record
is \`revoked\`, and the next login with the credential fails.`,
  references: cite(
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.4',
    'Profile: 1.errors.6',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)
    const { bearerToken } = organization
    const { credentialId } = await step('A wallet collects a credential', async () =>
      takeOffer(wallet, await ownOfferLink(context, organization)),
    )
    await step(`${requests} revocations arrive at the same time: one is confirmed`, async () => {
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

const each = 3

const twoPortals = defineScenario({
  id: 'concurrency/two-portals',
  title: 'Two portals of one organization work in parallel on the same records',
  algorithms: ['ES256K'],
  description: `
An organization has two portals with separate tokens. Both request ${each} credentials and list the
records at the same time. In the end both see the same ${2 * each} records, all \`issued\`. Each portal
can revoke a credential that the other portal requested: records belong to the organization, not to a
token.`,
  references: cite('Profile: 1.endpoints/credential-issuer', 'Assumptions: A-22, A-40'),

  async run(context) {
    const { step } = context
    const portals = await step('An organization with two portals', async () => {
      const first = await foundOrganization(context)
      return [first, { ...first, bearerToken: await first.createBearerToken() }] as const
    })
    const [organization, second] = portals
    const idsOf = (records: Awaited<ReturnType<typeof listRecords>>) =>
      records.map(({ credential_id }) => String(credential_id)).sort()

    const issued = await step(
      'Both request credentials and list the records at the same time',
      () =>
        atOnce(2 * each, async (index) => {
          const portal = portals[index % 2] ?? organization
          const link = await ownOfferLink(context, portal, `QR ${index}`)
          const wallet = context.createWallet()
          const [held] = await Promise.all([takeOffer(wallet, link), listRecords(context, portal)])
          return held.credentialId
        }),
    )
    await step('Both see the same records, all issued', async () => {
      for (const credentialId of issued) {
        await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
      }
      for (const portal of portals) {
        const ids = idsOf(await listRecords(context, portal))
        expectEqual('the records', ids, [...issued].sort())
      }
    })
    await step('Each revokes a credential of the other', async () => {
      const [one = '', two = ''] = issued
      const answers = await Promise.all([
        askToRevoke(context, one, second.bearerToken),
        askToRevoke(context, two, organization.bearerToken),
      ])
      for (const answer of answers) expectStatus(answer, 200)
      const records = await listRecords(context, organization)
      const revoked = records.filter(({ status }) => status === 'revoked')
      expectEqual('the revoked records', idsOf(revoked), [one, two].sort())
    })
  },
})

export const scenarios = [revocationsAtOnce, twoPortals]
