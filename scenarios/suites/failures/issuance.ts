import { acceptOfferLink, collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { firstOrganization, foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
import {
  askIssuer,
  askToRevoke,
  awaitRecord,
  expectIssuerRefusal,
  listRecords,
  ownOfferLink,
  revokeCredential,
} from '#scenarios/fixtures/portal.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import {
  askForCredential,
  callWalletEndpoint,
  createRequestBody,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
} from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'

const outages = [
  { fault: 'connector-down', what: 'the Connector cannot be contacted', status: 500 },
  { fault: 'management-down', what: 'the management API is unavailable' },
  { fault: 'database-down', what: 'the database is unavailable' },
] as const

function scenarioFor(outage: (typeof outages)[number], index: number): Scenario {
  const { fault, what } = outage
  const documented = 'status' in outage ? outage.status : undefined
  return defineScenario({
    id: `failures/issuance-during-${fault}`,
    title: `Nothing is issued while ${what}, and issuance works afterwards`,
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
A representative requests a personal credential and one for an employee while **${what}**. The response
is a server error
${documented === undefined ? '' : `(${documented}, as the profile requires)`} and never the image of a QR code that does not work. It does not reveal internals, and no
credential counts as issued.

Afterwards the same request with the same token yields a QR code, and the wallet collects the credential.`,
    references: cite(
      ...(documented === undefined ? [] : ['Profile: 1.errors.4']),
      'Assumptions: A-24, A-25',
    ),

    async run(context) {
      const { step, uniqueName } = context
      const wallet = context.createWallet()
      const organization = await step('A representative of an organization', foundOrganization)
      const { bearerToken, power } = organization
      await step(`The portal asks while ${what}`, () =>
        whileBroken(context, fault, async () => {
          for (const [endpoint, json] of [
            ['representative', { power }],
            ['employee', { power, email: `nobody.${uniqueName}@example.org` }],
          ] as const) {
            const answer = await askIssuer(context, endpoint, bearerToken, json)
            expectTrue('it is a server error', answer.status >= 500, answer.status)
            const text = JSON.stringify(expectIssuerRefusal(answer, documented ?? answer.status))
            expectEqual('addresses in it', text.match(/https?:|127\.0\.0\.1|:\d{4,5}/g), null)
          }
        }),
      )
      await step('No credential counts as issued', async () => {
        const records = await listRecords(context, organization)
        const issued = records.filter(({ status }) => status !== 'pending')
        expectEqual('the records', issued, [])
      })
      await step(
        'Afterwards the portal gets a QR code, and the wallet its credential',
        async () => {
          const link = await ownOfferLink(context, organization)
          const { credentialId } = await acceptOfferLink(context, wallet, link)
          const records = await listRecords(context, organization)
          const isListed = records.some(({ credential_id }) => credential_id === credentialId)
          expectTrue('the issuer lists it', isListed, records)
        },
      )
    },
  })
}

const databaseAwayFromWallet = defineScenario({
  id: 'failures/database-away-from-wallet',
  title: 'A wallet that encounters a database outage loses neither its code nor its token',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The database is unavailable twice while a wallet collects a credential: when the wallet redeems the code,
and when it requests the credential. Both responses are server errors in the form of OpenID4VCI, and
neither uses anything up.

Sent again afterwards, the same code yields a token, and the same token and proof yield the credential.
A single-use value that never got a response has not been used.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet',
    'Assumptions: A-25, A-36',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { offerUri, preAuthorizedCode } = await step('A wallet reads an offer', async () => {
      const offer = await control.createOffer()
      return { ...offer, ...(await resolveCredentialOffer(wallet, offer.offerUri)) }
    })
    const expectFault = (answer: Awaited<ReturnType<typeof askForCredential>>) => {
      expectTrue('it is a server error', answer.status >= 500, answer.status)
      const { error, error_description } = answer.json as Record<string, unknown>
      expectMatch('error', error, /^[a-z_]+$/)
      expectMatch('error_description', error_description, /\w/)
      expectTrue(
        'the response does not reveal internals',
        !/sqlite|select /i.test(answer.text),
        answer.text,
      )
    }

    await step('The wallet redeems its code while the database is unavailable', () =>
      whileBroken(context, 'database-down', async () => {
        const form = {
          grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
          'pre-authorized_code': preAuthorizedCode,
        }
        expectFault(await callWalletEndpoint(context, 'token', { form }))
      }),
    )
    const redeemed = await step('Afterwards the same code yields a token', () =>
      redeemOffer(wallet, offerUri),
    )
    const { accessToken } = redeemed.token
    const body = createRequestBody(wallet, redeemed)
    await step('It requests the credential while the database is unavailable', () =>
      whileBroken(context, 'database-down', async () => {
        expectFault(await askForCredential(context, accessToken, body))
      }),
    )
    await step('Afterwards the same request yields the credential', async () => {
      const { credential } = expectJson(await askForCredential(context, accessToken, body), 200)
      const { vc } = readCredential(String(credential))
      expectEqual('the holder', vc.credentialSubject.id, wallet.account.did)
    })
  },
})

const notificationLost = defineScenario({
  id: 'failures/notification-lost',
  title: 'A credential is valid even if its confirmation was lost, and the record is updated later',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The wallet collects its credential while the Connector's confirmation does not reach the issuer. The
holder has the credential and can log in with it. The issuer's record stays \`pending\`, as the issuer
was not notified.

The Connector retries. When the issuer is reachable again, the confirmation arrives, and the record is
\`issued\`.`,
  references: cite('Profile: 1.states-and-transitions.1', 'Assumptions: A-19, A-22'),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)
    const link = await step('The portal gets a QR code', () => ownOfferLink(context, organization))
    const credentialId = await step('The wallet collects while confirmations are lost', () =>
      whileBroken(context, 'notification-lost', async () => {
        const held = await acceptOfferLink(context, wallet, link)
        await logIn(context, wallet)
        const records = await listRecords(context, organization)
        const found = records.map(({ credential_id: id, status }) => ({ id, status }))
        expectEqual('the records', found, [{ id: held.credentialId, status: 'pending' }])
        return held.credentialId
      }),
    )
    await step('When the issuer is reachable again, the record is issued', () =>
      awaitRecord(context, { ...organization, credentialId, status: 'issued' }),
    )
  },
})

const mailDown = defineScenario({
  id: 'failures/mail-down',
  title: 'An employee receives the email late if the mail server is unavailable',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
A portal has a credential issued to an employee while the mail server is unavailable. The issuer returns 200 and says that the email is **queued**, not that it was sent. It has accepted the request, so it must
keep it.

When the mail server is back, the email arrives once. Its QR code is still valid because the issuer
creates the offer when it sends the email. The wallet collects the credential, and there is one record,
not two.`,
  references: cite('Profile: 1.endpoints/credential-issuer', 'Assumptions: A-41'),

  async run(context) {
    const { step, mailbox, uniqueName } = context
    const wallet = context.createWallet()
    const email = `late.${uniqueName}@example.org`
    const organization = await step('A representative of an organization', foundOrganization)
    const { bearerToken, power } = organization
    await step('The portal requests a credential while the mail server is unavailable', () =>
      whileBroken(context, 'mail-down', async () => {
        const answer = await askIssuer(context, 'employee', bearerToken, { email, power })
        const message = expectMatch('the message', expectJson(answer, 200).message, /queued/i)
        expectTrue('it does not say sent', !/has been sent/i.test(message), message)
        expectEqual('the emails', await mailbox.list(email), [])
      }),
    )
    const mail = await step('When the mail server is back, the email arrives', () =>
      mailbox.receive(email),
    )
    const credential = await step(
      'The wallet reads its QR code and collects the credential',
      () => {
        const image = expectPresent('an image in the email', mail.images[0])
        return acceptOfferLink(
          context,
          wallet,
          readQr(context, 'QR code in the email', image.bytes),
        )
      },
    )
    await step("There is one record, the employee's, and one email", async () => {
      const records = await listRecords(context, organization)
      const ids = records.map(({ credential_id }) => credential_id)
      expectEqual('the records', ids, [credential.credentialId])
      const { mandatee } = credential.vc.credentialSubject.mandate
      expectEqual("the mandatee's address", mandatee.email, email)
      expectEqual('the number of emails', (await mailbox.list(email)).length, 1)
    })
  },
})

const revocationDuringDatabaseDown = defineScenario({
  id: 'failures/revocation-during-database-down',
  title: 'A revocation that could not be stored is not confirmed and has no effect',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
A portal revokes a credential while the database is unavailable: 500, *internal error while revoking*.
Clients rely on a 200, so the response must not be one.

Afterwards the credential still logs in, as nothing was revoked. Then the portal revokes it, receives
the confirmation, and the next login fails.`,
  references: cite('Profile: 1.errors.7', 'Profile: 1.states-and-transitions.3'),

  async run(context) {
    const { step, control } = context
    const { organizationIdentifier } = firstOrganization(context)
    const wallet = context.createWallet()
    const { credentialId } = await step('A wallet collects a credential', () =>
      collectCredential(context, wallet),
    )
    const bearerToken = await step('A portal gets a Bearer token', () =>
      control.createBearerToken({ organizationIdentifier }),
    )
    await step('It revokes the credential while the database is unavailable', () =>
      whileBroken(context, 'database-down', async () => {
        expectIssuerRefusal(await askToRevoke(context, credentialId, bearerToken), 500)
      }),
    )
    await step('Nothing was revoked: the credential logs in', () => logIn(context, wallet))
    await step('The portal revokes it, and the next login fails', async () => {
      await revokeCredential(context, credentialId)
      await expectLoginRefused(context, wallet, 'credential.status')
    })
  },
})

export const scenarios = [
  ...outages.map(scenarioFor),
  databaseAwayFromWallet,
  notificationLost,
  mailDown,
  revocationDuringDatabaseDown,
]
