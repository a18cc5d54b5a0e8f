import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askToRevoke,
  awaitRecord,
  listRecords,
  receiveOfferMail,
  requestEmployeeOffer,
} from '#scenarios/fixtures/portal.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectJson } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

const revokedBeforePickup = defineScenario({
  id: 'employee/revoked-before-pickup',
  title: 'An offer in an email to the wrong address can be withdrawn',
  algorithms: ['EdDSA'],
  description: `
The address was **mistyped**, and the email is in another person's mailbox. The representative revokes
the pending record. The other person's wallet scans the QR code of the email and receives neither a
token nor a credential.`,
  references: cite('Profile: 1.states-and-transitions.3', 'Assumptions: A-22'),

  async run(context) {
    const { step, uniqueName } = context
    const stranger = context.createWallet()
    const email = `wrong.${uniqueName}@example.org`
    const organization = await step('A representative of an organization', foundOrganization)
    const { bearerToken, power } = organization
    const { link } = await step('The email is sent to another person', async () => {
      await requestEmployeeOffer(context, bearerToken, { email, power })
      return receiveOfferMail(context, email)
    })
    await step('The representative revokes the pending record', async () => {
      const [record] = await listRecords(context, organization)
      expectEqual('its status before', record?.status, 'pending')
      const id = String(record?.credential_id)
      expectJson(await askToRevoke(context, id, bearerToken), 200)
    })
    await step('The other person scans the QR code: rejected', async () => {
      await expectWalletRefusal('the withdrawn offer', acceptOffer(stranger, link), {
        code: 'token_refused',
        status: 400,
        error: 'invalid_grant',
      })
      expectEqual('the credentials of the other person', await stranger.store.listCredentials(), [])
    })
    await step('The record stays revoked', async () => {
      const [record, ...others] = await listRecords(context, organization)
      expectEqual('its status', record?.status, 'revoked')
      expectEqual('other records', others, [])
    })
  },
})

const revoked = defineScenario({
  id: 'employee/revoked',
  title: 'After an employee leaves, the credential can no longer be used to log in',
  algorithms: ['ES256K'],
  description: `
An employee collects a credential from an email and works with it. Then the employee **leaves**: the
representative revokes the credential, and the next login fails. A colleague's credential, from the same
organization and issued a minute later, is still valid.`,
  references: cite(
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.7',
    'Profile: 1.endpoints/credential-issuer.8',
    'Assumptions: A-21 to A-23',
  ),

  async run(context) {
    const { step, uniqueName } = context
    const organization = await step('A representative of an organization', foundOrganization)
    const { bearerToken, power } = organization
    const hire = async (name: string) => {
      const email = `${name}.${uniqueName}@example.org`
      await requestEmployeeOffer(context, bearerToken, { email, power })
      const { link } = await receiveOfferMail(context, email)
      const wallet = context.createWallet()
      const { credentialId } = await acceptOfferLink(context, wallet, link)
      await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
      return { wallet, credentialId, email }
    }

    const leaving = await step('Lara collects a credential from an email', () => hire('lara'))
    const staying = await step('So does Omar', () => hire('omar'))
    await step('Lara logs in', async () => {
      const { idTokenClaims } = await logIn(context, leaving.wallet)
      expectEqual('the email address', idTokenClaims.email, leaving.email)
    })
    await step('She leaves: the representative revokes her credential', async () => {
      const answer = await askToRevoke(context, leaving.credentialId, bearerToken)
      expectIncludes('the confirmation', expectJson(answer, 200), { status: 'revoked' })
    })
    await step('Her next login fails', () =>
      expectLoginRefused(context, leaving.wallet, 'credential.status'),
    )
    await step('Omar logs in as before', async () => {
      const { idTokenClaims } = await logIn(context, staying.wallet)
      expectEqual('the email address', idTokenClaims.email, staying.email)
    })
  },
})

export const scenarios = [revokedBeforePickup, revoked]
