import { setTimeout as sleep } from 'node:timers/promises'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { secondOrganization } from '#scenarios/fixtures/organizations.ts'
import { askToRevoke, listRecords } from '#scenarios/fixtures/portal.ts'
import {
  askForDeferred,
  deferCredential,
  otherPinOf,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectPresent,
} from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

const revokedBeforePickup = defineScenario({
  id: 'deferred/revoked-before-pickup',
  title: 'A credential that is revoked while it is prepared is never delivered',
  algorithms: ['EdDSA'],
  description: `
The wallet polls while the organization revokes the credential. **From then on** every poll is rejected
with an error that wallets do not interpret as "not yet", even if the credential would have been ready.
The record stays revoked.`,
  references: cite(
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.8',
    'Assumptions: A-22',
  ),

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
      await step('The wallet polls: rejected each time', async () => {
        for (let poll = 1; poll <= 2; poll++) {
          const body = expectJson(await askForDeferred(context, acceptanceToken), 400)
          expectEqual('the error', body.error, 'credential_request_denied')
          expectMatch('a description for the holder', body.error_description, /\w/)
          expectEqual('the credential', body.credential, undefined)
        }
        expectEqual('the status after', (await findRecord()).status, 'revoked')
      })
    }
  },
})

const withPin = defineScenario({
  id: 'deferred/with-pin',
  title: 'One offer with a PIN, by reference and deferred',
  algorithms: ['ES256K'],
  description: `
All options of an offer **combined**: by reference, with a PIN, for a holder with a did:jwk, and
deferred. The wallet asks for the PIN once, at the token endpoint. A wrong PIN does not start the
deferral, and polling does not require a PIN.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-offer-object.3, 1.resources-and-their-fields/credential-offer-object.4, 1.resources-and-their-fields/credential-offer-object.6',
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5, 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11..13',
  ),

  async run(context) {
    const { step, control, signal } = context
    const wallet = context.createWallet({ didMethod: 'jwk' })
    const deferral = { wait: () => sleep(1, undefined, { signal }) }

    const { offerUri, pin = '' } = await step('The issuer creates such an offer', () =>
      control.createOffer({ by: 'reference', txCode: { length: 8 }, deferredSeconds: 0 }),
    )
    await step('A wrong PIN does not start the issuance', async () => {
      const getPin = () => otherPinOf(pin)
      await expectWalletRefusal(
        'the wrong PIN',
        acceptOffer(wallet, offerUri, { getPin, deferral }),
        {
          code: 'token_refused',
          status: 400,
          error: 'invalid_grant',
        },
      )
    })
    await step('With the correct PIN the wallet polls and receives its credential', async () => {
      let asked = 0
      const getPin = () => {
        asked += 1
        return pin
      }
      const { vc } = await acceptOfferLink(context, wallet, offerUri, { getPin, deferral })
      expectEqual('how often the PIN was asked for', asked, 1)
      expectEqual('the holder', vc.credentialSubject.id, wallet.account.did)
    })
  },
})

export const scenarios = [revokedBeforePickup, withPin]
