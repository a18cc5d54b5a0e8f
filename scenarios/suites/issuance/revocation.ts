import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginFailure, logIn } from '#scenarios/fixtures/log-in.ts'
import { brokenRulesOf } from '#scenarios/fixtures/login-page.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import {
  askIssuer,
  awaitRecord,
  expectIssuerRefusal,
  listRecords,
  ownOfferLink,
} from '#scenarios/fixtures/portal.ts'
import {
  askForCredential,
  createRequestBody,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectPresent,
  expectStatus,
} from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'

const revokeRefusals = defineScenario({
  id: 'issuance/revoke-refusals',
  title: 'Only the organization that issued a credential can revoke it, and only once',
  algorithms: ['EdDSA'],
  description: `
Revocation is **permanent**, so the issuer must authorize it carefully:

- an unknown \`credential_id\` is a 404, even if it is almost correct,
- a credential of another organization is a 403, and it does not change,
- an invalid request is a 400,
- a second revocation is a 400.`,
  references: cite(
    'Profile: 1.errors.5, 1.errors.6',
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.4',
    'Assumptions: A-21, A-22, A-40',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const [organization, stranger] = await step('Two organizations', () =>
      Promise.all([
        foundOrganization(context, { name: 'one' }),
        foundOrganization(context, { name: 'stranger' }),
      ]),
    )
    const { credentialId } = await step('The first one has an issued credential', async () => {
      const link = await ownOfferLink(context, organization)
      const credential = await acceptOfferLink(context, wallet, link)
      const { credentialId } = credential
      await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
      return credential
    })
    const revoke = (bearerToken: string, json: unknown) =>
      askIssuer(context, 'credential/revoke', bearerToken, json)
    const { bearerToken } = organization

    await step('An unknown credential_id is a 404', async () => {
      const [record] = await listRecords(context, organization)
      const unknown = [
        createUuidUrn(context),
        credentialId.toUpperCase(),
        credentialId.replace('urn:uuid:', ''),
        String(expectPresent('the record', record).id),
        `${credentialId}%`,
      ]
      for (const id of unknown) {
        expectIssuerRefusal(await revoke(bearerToken, { credential_id: id }), 404)
      }
    })
    await step('The representative of another organization is rejected: 403', async () => {
      const json = { credential_id: credentialId }
      expectIssuerRefusal(await revoke(stranger.bearerToken, json), 403)
    })
    await step('An invalid request is a 400', async () => {
      for (const json of [{}, { credential_id: '' }, { credential_id: [credentialId] }, []]) {
        expectIssuerRefusal(await revoke(bearerToken, json), 400)
      }
    })
    await step('The record is still issued', async () => {
      const [record, ...others] = await listRecords(context, organization)
      expectEqual('its status', record?.status, 'issued')
      expectEqual('other records', others, [])
    })
    await step('The organization revokes it, once', async () => {
      const json = { credential_id: credentialId }
      expectStatus(await revoke(bearerToken, json), 200)
      expectIssuerRefusal(await revoke(bearerToken, json), 400)
      expectIssuerRefusal(await revoke(stranger.bearerToken, json), 403)
    })
  },
})

const revokedBeforePickup = defineScenario({
  id: 'issuance/revoked-before-pickup',
  title: 'A credential that is revoked before it is collected is never issued',
  algorithms: ['ES256K'],
  description: `
The representative notices a mistake and revokes the record while it is **pending**. The QR code may
still be on display. Its code no longer yields a token, the wallet shows the reason to its holder, and
the record stays revoked.`,
  references: cite('Profile: 1.states-and-transitions.3', 'Assumptions: A-22'),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)
    const link = await step('The portal shows a QR code', () => ownOfferLink(context, organization))
    await step('The pending record is revoked', async () => {
      const [record] = await listRecords(context, organization)
      const { status, credential_id } = expectPresent('the record', record)
      expectEqual('its status before', status, 'pending')
      const { bearerToken } = organization
      const json = { credential_id }
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
    })
    await step(
      'The wallet scans the QR code: it is rejected and does not keep a credential',
      async () => {
        await expectWalletRefusal('the withdrawn offer', acceptOffer(wallet, link), {
          code: 'token_refused',
          status: 400,
          error: 'invalid_grant',
          description: /\w/,
        })
        expectEqual("the wallet's credentials", await wallet.store.listCredentials(), [])
      },
    )
    await step('The record stays revoked', async () => {
      const records = await listRecords(context, organization)
      const statuses = records.map(({ status }) => status)
      expectEqual('the statuses', statuses, ['revoked'])
    })
  },
})

const revokedBetweenTokenAndCredential = defineScenario({
  id: 'issuance/revoked-between-token-and-credential',
  title: 'A revocation stops a wallet that already has its access token',
  algorithms: ['EdDSA'],
  description: `
The wallet has redeemed the code, and its holder still reads the consent screen. **Now** the record is
revoked. The access token is valid for a day, but the issuer no longer signs a credential for it, not
even with another proof.`,
  references: cite(
    'Profile: 1.states-and-transitions.3',
    'Profile: 1.limits.3',
    'Assumptions: A-22',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)
    const redeemed = await step(
      'The wallet scans the QR code and gets its access token',
      async () => redeemOffer(wallet, await ownOfferLink(context, organization)),
    )
    await step('The record is revoked', async () => {
      const [record] = await listRecords(context, organization)
      const { bearerToken } = organization
      const json = { credential_id: expectPresent('the record', record).credential_id }
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
    })
    await step('The wallet requests the credential twice: rejected', async () => {
      const { accessToken } = redeemed.token
      for (let attempt = 1; attempt <= 2; attempt++) {
        const body = createRequestBody(wallet, redeemed)
        const answer = await askForCredential(context, accessToken, body)
        const { error, error_description: description, credential } = expectJson(answer, 400)
        expectEqual('the error', error, 'credential_request_denied')
        expectMatch('a description for the holder', description, /\w/)
        expectEqual('the credential', credential, undefined)
      }
    })
    await step('The record stays revoked', async () => {
      const [record] = await listRecords(context, organization)
      expectEqual('its status', record?.status, 'revoked')
    })
  },
})

const refusedPresentation = defineScenario({
  id: 'issuance/refused-presentation',
  title: 'A failed presentation has no effect at the issuer',
  algorithms: ['ES256K'],
  description: `
A wallet with a defect in its signatures presents a new credential: the login fails. This is **not an
event** for the issuer: the record does not change, and the holder is not blocked. The holder obtains a
new credential with a correct wallet and logs in with it.`,
  references: cite('Profile: 1.states-and-transitions.2', 'Assumptions: A-22'),

  async run(context) {
    const { step } = context
    const faulty = context.createWallet({ faults: findFaults(['presentation-bad-signature']) })
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)
    const collect = async (by: typeof wallet) => {
      const { credentialId } = await acceptOfferLink(
        context,
        by,
        await ownOfferLink(context, organization),
      )
      return awaitRecord(context, { ...organization, credentialId, status: 'issued' })
    }

    const before = await step(
      'They collect a credential with a wallet that signs incorrectly',
      () => collect(faulty),
    )
    await step('It presents the credential: the login fails', async () => {
      const broken = brokenRulesOf(await expectLoginFailure(context, faulty))
      expectEqual('the broken rules', broken, ['presentation.signature'])
    })
    await step('The record is unchanged', async () => {
      expectEqual('the records', await listRecords(context, organization), [before])
    })
    await step('They obtain a new one with a correct wallet and log in', async () => {
      await collect(wallet)
      await logIn(context, wallet)
    })
  },
})

export const scenarios = [
  revokeRefusals,
  revokedBeforePickup,
  revokedBetweenTokenAndCredential,
  refusedPresentation,
]
