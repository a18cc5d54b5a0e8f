import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { type HeldCredential, readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { firstOrganization, foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  askToRevoke,
  awaitRecord,
  listRecords,
  ownOfferLink,
} from '#scenarios/fixtures/portal.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

const count = 3

const severalOffers = defineScenario({
  id: 'issuance/several-offers',
  title: 'One person can have several independent credentials',
  algorithms: ['EdDSA'],
  description: `
A representative requests a credential, and another one before collecting the first: for a second phone, or
because the window was closed. **Each offer is independent**: all can be collected in any order, and each
has a separate record, identifier and index in the status list. Revoking one does not affect the others.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/issuedcredential.1, 1.resources-and-their-fields/issuedcredential.3, 1.resources-and-their-fields/issuedcredential.6',
    'Assumptions: A-19, A-22, A-39',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)

    const links = await step(
      `The portal shows ${count} QR codes, one after the other`,
      async () => {
        const found: string[] = []
        for (let number = 1; number <= count; number++) {
          found.push(await ownOfferLink(context, organization, `QR ${number}`))
        }
        return found
      },
    )
    const collected = await step('The wallet collects the last one first', async () => {
      const found: HeldCredential[] = []
      for (const link of links.toReversed()) {
        found.push(await fetchCredential(context, wallet, link))
      }
      return found
    })
    await step('They have different identifiers', () => {
      const different = (what: string, values: readonly unknown[]) =>
        expectEqual(`the number of different values of ${what}`, new Set(values).size, count)
      different('links', links)
      different(
        'credential_id',
        collected.map(({ credentialId }) => credentialId),
      )
      different(
        'jti',
        collected.map(({ payload }) => payload.jti),
      )
      different(
        'indexes in the status list',
        collected.map(({ vc }) => (vc.credentialStatus as { id: unknown }).id),
      )
      for (const { credentialId, payload } of collected) {
        expectTrue('jti is the credential_id', payload.jti === credentialId, payload.jti)
      }
    })
    await step('The issuer has a record of each', async () => {
      for (const { credentialId } of collected) {
        await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
      }
      const records = await listRecords(context, organization)
      expectEqual('the number of records', records.length, count)
      for (const member of ['id', 'subject_id', 'credential_id']) {
        const values = new Set(records.map((record) => record[member]))
        expectEqual(`different values of ${member}`, values.size, count)
      }
    })
    await step('Revoking one does not affect the others', async () => {
      const [first] = collected
      const json = { credential_id: first?.credentialId }
      const { bearerToken } = organization
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
      const records = await listRecords(context, organization)
      for (const { credential_id: id, status } of records) {
        const expected = id === first?.credentialId ? 'revoked' : 'issued'
        expectEqual(`the status of ${id}`, status, expected)
      }
    })
  },
})

const everyTypeInOneOffer = defineScenario({
  id: 'issuance/every-type-in-one-offer',
  title: 'One offer of all credential types yields one credential of each',
  description: `
An offer lists credential types, and one code is for all of them. The wallet requests **each type
once** with the same access token, and gets a credential of that type. Each credential has its own
record and identifier, so revoking one leaves the others valid.

The scenario offers all the types that the issuer is configured for, so a second type in
\`--credential-types\` makes it an offer of two.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-offer-object.2',
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.3',
    'Assumptions: A-20, A-39, A-59',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', async () => {
      const { organizationIdentifier } = firstOrganization(context)
      const bearerToken = await control.createBearerToken({ organizationIdentifier })
      return { organizationIdentifier, bearerToken }
    })
    const { organizationIdentifier, bearerToken } = organization
    const vcTypes = await step('The issuer lists its credential types', async () => {
      const json = { subject_id: context.uniqueName }
      const answer = expectJson(await askIssuer(context, 'identifiers', bearerToken, json), 200)
      return answer.vc_types as string[]
    })
    const { offerUri, subjectId } = await step('It offers all of them in one offer', () =>
      control.createOffer({ vcTypes, organizationIdentifier }),
    )
    const readRecords = async () => {
      const records = await listRecords(context, organization)
      return records.filter(({ subject_id }) => subject_id === subjectId).toReversed()
    }
    await step('The issuer has a pending record for each type', async () => {
      const shown = (await readRecords()).map(({ vc_type, status }) => ({ vc_type, status }))
      const expected = vcTypes.map((vc_type) => ({ vc_type, status: 'pending' }))
      expectEqual('the records', shown, expected)
    })
    const credentials = await step('The wallet accepts the offer', async () => {
      const accepted = await acceptOffer(wallet, offerUri, environmentTrust(context, wallet))
      expectEqual(
        'the verdicts',
        accepted.map(({ verdict: { verdict } }) => verdict),
        vcTypes.map(() => 'accepted'),
      )
      return accepted.map(({ credential }) => readCredential(credential.credential))
    })
    await step('It holds one credential of each type, issued under its own record', async () => {
      expectEqual(
        'the types',
        credentials.map(({ vc }) => vc.type.at(-1)),
        vcTypes,
      )
      for (const { credentialId, vc } of credentials) {
        const record = await awaitRecord(context, {
          ...organization,
          credentialId,
          status: 'issued',
        })
        expectEqual('the type of the record', record.vc_type, vc.type.at(-1))
      }
    })
    await step('Revoking one does not affect the others', async () => {
      const [first, ...others] = credentials
      expectStatus(await askToRevoke(context, first?.credentialId ?? '', bearerToken), 200)
      for (const { credential_id: id, status } of await readRecords()) {
        const isOther = others.some(({ credentialId }) => credentialId === id)
        expectEqual(`the status of ${id}`, status, isOther ? 'issued' : 'revoked')
      }
    })
  },
})

export const scenarios = [severalOffers, everyTypeInOneOffer]
