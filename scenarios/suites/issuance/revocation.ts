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
  title: 'Only the own organization revokes, only what is there, only once',
  algorithms: ['EdDSA'],
  description: `
Revocation is **permanent**, so the issuer has to be sure whom it listens to:

- an unknown \`credential_id\` is a 404, as is one that is almost right,
- a credential of another organization is a 403, and it stays as it is,
- what is no request is a 400,
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
    await step("Another organization's representative is refused: 403", async () => {
      const json = { credential_id: credentialId }
      expectIssuerRefusal(await revoke(stranger.bearerToken, json), 403)
    })
    await step('What is no request is a 400', async () => {
      for (const json of [{}, { credential_id: '' }, { credential_id: [credentialId] }, []]) {
        expectIssuerRefusal(await revoke(bearerToken, json), 400)
      }
    })
    await step('The record is still issued', async () => {
      const [record, ...others] = await listRecords(context, organization)
      expectEqual('its status', record?.status, 'issued')
      expectEqual('other records', others, [])
    })
    await step('The own organization revokes it, once', async () => {
      const json = { credential_id: credentialId }
      expectStatus(await revoke(bearerToken, json), 200)
      expectIssuerRefusal(await revoke(bearerToken, json), 400)
      expectIssuerRefusal(await revoke(stranger.bearerToken, json), 403)
    })
  },
})

const revokedBeforePickup = defineScenario({
  id: 'issuance/revoked-before-pickup',
  title: 'A credential that is revoked before anybody collected it is never issued',
  algorithms: ['ES256K'],
  description: `
The representative noticed a mistake and revoked the record while it was **pending**: the QR may still
hang on a wall. Its code gives no token any more, the wallet shows its holder why, and the record stays
revoked.`,
  references: cite('Profile: 1.states-and-transitions.3', 'Assumptions: A-22'),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const link = await step('The portal shows a QR', () => ownOfferLink(context, organization))
    await step('The pending record is revoked', async () => {
      const [record] = await listRecords(context, organization)
      const { status, credential_id } = expectPresent('the record', record)
      expectEqual('its status before', status, 'pending')
      const { bearerToken } = organization
      const json = { credential_id }
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
    })
    await step('The wallet scans the QR: it is refused, and keeps nothing', async () => {
      await expectWalletRefusal('the withdrawn offer', acceptOffer(wallet, link), {
        code: 'token_refused',
        status: 400,
        error: 'invalid_grant',
        description: /\w/,
      })
      expectEqual('what the wallet holds', await wallet.store.listCredentials(), [])
    })
    await step('The record stays revoked', async () => {
      const records = await listRecords(context, organization)
      const statuses = records.map(({ status }) => status)
      expectEqual('the statuses', statuses, ['revoked'])
    })
  },
})

const revokedBetweenTokenAndCredential = defineScenario({
  id: 'issuance/revoked-between-token-and-credential',
  title: 'A revocation reaches a wallet that already has its access token',
  algorithms: ['EdDSA'],
  description: `
The wallet has redeemed the code; its holder still looks at the consent screen. **Now** the record is
revoked. The access token lives on for a day, but no credential is signed under it: not now, and not
with another proof.`,
  references: cite(
    'Profile: 1.states-and-transitions.3',
    'Profile: 1.limits.3',
    'Assumptions: A-22',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const redeemed = await step('The wallet scans the QR and gets its access token', async () =>
      redeemOffer(wallet, await ownOfferLink(context, organization)),
    )
    await step('The record is revoked', async () => {
      const [record] = await listRecords(context, organization)
      const { bearerToken } = organization
      const json = { credential_id: expectPresent('the record', record).credential_id }
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
    })
    await step('The wallet asks for the credential, twice: refused', async () => {
      const { accessToken } = redeemed.token
      for (let attempt = 1; attempt <= 2; attempt++) {
        const body = createRequestBody(wallet, redeemed)
        const answer = await askForCredential(context, accessToken, body)
        const { error, error_description: description, credential } = expectJson(answer, 400)
        expectEqual('the error', error, 'credential_request_denied')
        expectMatch('what the wallet can show', description, /\w/)
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
  title: 'A presentation that is refused changes nothing at the issuer',
  algorithms: ['ES256K'],
  description: `
A wallet with a fault in its signatures presents a fresh credential: the login fails. For the issuer that
is **no event**: the record stays as it is, and nobody is locked out. The holder obtains a new credential
with a wallet that works, and logs in with that one.`,
  references: cite('Profile: 1.states-and-transitions.2', 'Assumptions: A-22'),

  async run(context) {
    const { step } = context
    const faulty = context.createWallet({ faults: findFaults(['presentation-bad-signature']) })
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const collect = async (by: typeof wallet) => {
      const { credentialId } = await acceptOfferLink(
        context,
        by,
        await ownOfferLink(context, organization),
      )
      return awaitRecord(context, { ...organization, credentialId, status: 'issued' })
    }

    const before = await step('They collect a credential with a wallet that signs badly', () =>
      collect(faulty),
    )
    await step('It presents the credential: the login fails', async () => {
      const broken = brokenRulesOf(await expectLoginFailure(context, faulty))
      expectEqual('the broken rules', broken, ['presentation.signature'])
    })
    await step('The record is as it was', async () => {
      expectEqual('the records', await listRecords(context, organization), [before])
    })
    await step('They obtain a new one with a good wallet, and log in', async () => {
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
