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
  { fault: 'management-down', what: 'the management API is away' },
  { fault: 'database-down', what: 'the database cannot be reached' },
] as const

function scenarioFor(outage: (typeof outages)[number], index: number): Scenario {
  const { fault, what } = outage
  const documented = 'status' in outage ? outage.status : undefined
  return defineScenario({
    id: `failures/issuance-during-${fault}`,
    title: `Nothing is issued while ${what}, and everything afterwards`,
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
A representative asks for a credential of their own, and for an employee's, while **${what}**. The
answer is a fault of the server's own
${documented === undefined ? '' : `(${documented}, as the document has it)`}, never an image of a QR that leads nowhere; it lets nothing of the inside out, and no credential
counts as issued.

Afterwards the same request with the same token gives a QR, and the wallet collects the credential.`,
    references: cite(
      ...(documented === undefined ? [] : ['Profile: 1.errors.4']),
      'Assumptions: A-24, A-25',
    ),

    async run(context) {
      const { step, uniqueName } = context
      const wallet = context.createWallet()
      const organization = await step('A representative of an organization', () =>
        foundOrganization(context),
      )
      const { bearerToken, power } = organization
      await step(`The portal asks while ${what}`, () =>
        whileBroken(context, fault, async () => {
          for (const [endpoint, json] of [
            ['representative', { power }],
            ['employee', { power, email: `nobody.${uniqueName}@example.org` }],
          ] as const) {
            const answer = await askIssuer(context, endpoint, bearerToken, json)
            expectTrue("it is the server's fault", answer.status >= 500, answer.status)
            const told = JSON.stringify(expectIssuerRefusal(answer, documented ?? answer.status))
            expectEqual('addresses in it', told.match(/https?:|127\.0\.0\.1|:\d{4,5}/g), null)
          }
        }),
      )
      await step('No credential counts as issued', async () => {
        const records = await listRecords(context, organization)
        const issued = records.filter(({ status }) => status !== 'pending')
        expectEqual('the records', issued, [])
      })
      await step('Afterwards the portal gets a QR, and the wallet its credential', async () => {
        const link = await ownOfferLink(context, organization)
        const { credentialId } = await acceptOfferLink(context, wallet, link)
        const records = await listRecords(context, organization)
        const isListed = records.some(({ credential_id }) => credential_id === credentialId)
        expectTrue('the issuer lists it', isListed, records)
      })
    },
  })
}

const databaseAwayFromWallet = defineScenario({
  id: 'failures/database-away-from-wallet',
  title: 'A wallet that meets a database outage loses neither its code nor its token',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The database is away twice while a wallet collects a credential: when it redeems the code, and when it
asks for the credential. Both times the answer is a fault of the server's own in the shape of
OpenID4VCI, and nothing is used up by it.

Sent again afterwards, the same code gives a token, and the same token and proof the credential: a
single use that was never answered is none.`,
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
      expectTrue("it is the server's fault", answer.status >= 500, answer.status)
      const { error, error_description } = answer.json as Record<string, unknown>
      expectMatch('error', error, /^[a-z_]+$/)
      expectMatch('error_description', error_description, /\w/)
      expectTrue('nothing of the inside is told', !/sqlite|select /i.test(answer.text), answer.text)
    }

    await step('The wallet redeems its code while the database is away', () =>
      whileBroken(context, 'database-down', async () => {
        const form = {
          grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
          'pre-authorized_code': preAuthorizedCode,
        }
        expectFault(await callWalletEndpoint(context, 'token', { form }))
      }),
    )
    const redeemed = await step('Afterwards the same code gives a token', () =>
      redeemOffer(wallet, offerUri),
    )
    const { accessToken } = redeemed.token
    const body = createRequestBody(wallet, redeemed)
    await step('It asks for the credential while the database is away', () =>
      whileBroken(context, 'database-down', async () => {
        expectFault(await askForCredential(context, accessToken, body))
      }),
    )
    await step('Afterwards the same request gives the credential', async () => {
      const { credential } = expectJson(await askForCredential(context, accessToken, body), 200)
      const { vc } = readCredential(String(credential))
      expectEqual('the holder', vc.credentialSubject.id, wallet.account.did)
    })
  },
})

const notificationLost = defineScenario({
  id: 'failures/notification-lost',
  title: 'A credential whose confirmation got lost is good, and its record catches up',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The wallet collects its credential while the Connector's confirmation does not get through. The holder
has what they came for, and it logs them in; the issuer's record stays \`pending\`, as nobody told it.

The Connector does not forget: once the way is free the confirmation arrives, and the record is
\`issued\`.`,
  references: cite('Profile: 1.states-and-transitions.1', 'Assumptions: A-19, A-22'),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const link = await step('The portal gets a QR', () => ownOfferLink(context, organization))
    const credentialId = await step('The wallet collects while confirmations get lost', () =>
      whileBroken(context, 'notification-lost', async () => {
        const held = await acceptOfferLink(context, wallet, link)
        await logIn(context, wallet)
        const records = await listRecords(context, organization)
        const found = records.map(({ credential_id: id, status }) => ({ id, status }))
        expectEqual('the records', found, [{ id: held.credentialId, status: 'pending' }])
        return held.credentialId
      }),
    )
    await step('Once the way is free the record is issued', () =>
      awaitRecord(context, { ...organization, credentialId, status: 'issued' }),
    )
  },
})

const mailDown = defineScenario({
  id: 'failures/mail-down',
  title: 'An employee gets the mail late when the mail server is away, but gets it',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
A portal has a credential issued to an employee while the mail server is away. The issuer answers 200
and says that the mail is **queued**, and not that it was sent: it took the order over, so it has to
keep it.

Once the mail server is back the mail arrives, once, with a QR that is fresh although the mail is late: the
offer is made when the mail is sent. The wallet collects the credential, and there is one record, not
two.`,
  references: cite('Profile: 1.endpoints/credential-issuer', 'Assumptions: A-41'),

  async run(context) {
    const { step, mailbox, uniqueName } = context
    const wallet = context.createWallet()
    const email = `late.${uniqueName}@example.org`
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { bearerToken, power } = organization
    await step('The portal orders while the mail server is away', () =>
      whileBroken(context, 'mail-down', async () => {
        const answer = await askIssuer(context, 'employee', bearerToken, { email, power })
        const message = expectMatch('the message', expectJson(answer, 200).message, /queued/i)
        expectTrue('it does not say sent', !/has been sent/i.test(message), message)
        expectEqual('the mails', await mailbox.list(email), [])
      }),
    )
    const mail = await step('Once it is back the mail arrives', () => mailbox.receive(email))
    const credential = await step('The wallet reads its QR and collects the credential', () => {
      const image = expectPresent('an image in the mail', mail.images[0])
      return acceptOfferLink(context, wallet, readQr(context, 'QR in the mail', image.bytes))
    })
    await step("There is one record, the employee's, and one mail", async () => {
      const records = await listRecords(context, organization)
      const ids = records.map(({ credential_id }) => credential_id)
      expectEqual('the records', ids, [credential.credentialId])
      const { mandatee } = credential.vc.credentialSubject.mandate
      expectEqual("the mandatee's address", mandatee.email, email)
      expectEqual('the number of mails', (await mailbox.list(email)).length, 1)
    })
  },
})

const revocationDuringDatabaseDown = defineScenario({
  id: 'failures/revocation-during-database-down',
  title: 'A revocation that could not be kept is not confirmed, and has not happened',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
A portal revokes a credential while the database can't be reached: 500, *internal error while
revoking*. Whoever is told 200 relies on it, so there must be none.

Afterwards the credential still logs in, as nothing was revoked; then the portal revokes it, is told
so, and the next login fails.`,
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
    await step('It revokes the credential while the database is away', () =>
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
