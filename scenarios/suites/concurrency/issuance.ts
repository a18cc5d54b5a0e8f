import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { askIssuer, listRecords } from '#scenarios/fixtures/portal.ts'
import {
  askForCredential,
  askForDeferred,
  createRequestBody,
  deferCredential,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { atOnce, eventually } from '#scenarios/harness/waiting.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

const offers = 50

const offersAtOnce = defineScenario({
  id: 'concurrency/offers-at-once',
  title: `${offers} simultaneous requests yield ${offers} different QR codes and records`,
  algorithms: ['ES256K'],
  description: `
${offers} users press the button of a portal at the same moment. Each gets a separate QR code: all images
are different, and the issuer keeps a \`pending\` record with a separate id for each. No request is lost
or counted twice.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/issuedcredential',
    'Profile: 1.endpoints/credential-issuer',
    'Assumptions: A-36, A-39',
  ),

  async run(context) {
    const { step } = context
    const organization = await step('A representative of an organization', foundOrganization)
    const { bearerToken, power } = organization
    const images = await step(`${offers} requests arrive at the same time`, () =>
      atOnce(offers, async () => {
        const answer = await askIssuer(context, 'representative', bearerToken, { power })
        return Buffer.from(expectStatus(answer, 200).bytes).toString('base64')
      }),
    )
    await step('Each gets a different QR code', () => {
      expectEqual('the number of different images', new Set(images).size, offers)
    })
    await step('Each has a record', async () => {
      const records = await listRecords(context, organization)
      expectEqual('the number of records', records.length, offers)
      for (const member of ['id', 'subject_id', 'credential_id']) {
        const values = new Set(records.map((record) => record[member]))
        expectEqual(`the number of different values of ${member}`, values.size, offers)
      }
      const states = new Set(records.map(({ status }) => status))
      expectEqual('the states', [...states], ['pending'])
    })
  },
})

const wallets = 20

const oneCodeManyWallets = defineScenario({
  id: 'concurrency/one-code-many-wallets',
  title: `If ${wallets} wallets redeem one code at the same time, exactly one gets the credential`,
  algorithms: ['EdDSA'],
  description: `
${wallets} people photograph a QR code and redeem it at the same moment. Only one of them may have the
credential: exactly one wallet gets it, and the others receive \`invalid_grant\`. Which wallet succeeds is
left to chance. If two succeeded, one record would have two credentials.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet',
    'OpenID4VCI 1.0: 4.1.1',
    'Assumptions: A-36',
  ),

  async run(context) {
    const { step, control } = context
    const { offerUri } = await step('The issuer creates an offer', () => control.createOffer())
    const outcomes = await step(`${wallets} wallets accept it at the same time`, () =>
      atOnce(wallets, async () => {
        const wallet = context.createWallet()
        try {
          await acceptOffer(wallet, offerUri, { policy: {} })
          return undefined
        } catch (error) {
          return error
        }
      }),
    )
    await step('Exactly one has the credential', async () => {
      const refusals = outcomes.filter((outcome) => outcome !== undefined)
      expectEqual('the number of winners', wallets - refusals.length, 1)
      for (const refusal of refusals) {
        await expectWalletRefusal('a loser', Promise.reject(refusal), {
          code: 'token_refused',
          status: 400,
          error: 'invalid_grant',
        })
      }
    })
    await step('The next offer works', () => collectCredential(context, context.createWallet()))
  },
})

const requests = 10

const oneTokenManyRequests = defineScenario({
  id: 'concurrency/one-token-many-requests',
  title: 'A wallet that sends one request ten times at the same time ends up with one credential',
  algorithms: ['ES256K'],
  description: `
A wallet sends the same credential request ${requests} times at the same moment, with one proof and one
\`c_nonce\`. A nonce works once: exactly one response contains the credential, the others are 400 with a
fresh nonce. None is a server error.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/proof-of-possession-jwt',
    'Assumptions: A-36',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const redeemed = await step('A wallet redeems an offer', async () =>
      redeemOffer(wallet, (await control.createOffer()).offerUri),
    )
    const body = createRequestBody(wallet, redeemed)
    const answers = await step(`It sends ${requests} requests at the same time`, () =>
      atOnce(requests, () => askForCredential(context, redeemed.token.accessToken, body)),
    )
    await step('One response contains the credential', () => {
      const [credential = '', ...others] = answers
        .filter(({ status }) => status === 200)
        .map(({ json }) => (json as { credential: string }).credential)
      expectEqual('the number of further credentials', others.length, 0)
      const { vc } = readCredential(credential)
      expectEqual('the holder', vc.credentialSubject.id, wallet.account.did)
    })
    await step('The others are rejected because of the nonce', () => {
      for (const answer of answers) {
        if (answer.status === 200) continue
        const { error, c_nonce } = expectJson(answer, 400)
        expectEqual('the error', error, 'invalid_nonce')
        expectMatch('a fresh c_nonce', c_nonce, /^\S{22,}$/)
      }
    })
  },
})

const polls = 4

const deferredPollsAtOnce = defineScenario({
  id: 'concurrency/deferred-polls-at-once',
  title: 'Simultaneous polls for a deferred credential yield only one credential',
  algorithms: ['ES256K'],
  description: `
A wallet sends ${polls} polls for a deferred credential at the same time, repeatedly, until it is ready.
Each response is 202, 200, or an error because the token has been used. None is a server error, and all
responses with a credential contain the same one.`,
  references: cite(
    'Profile: 1.states-and-transitions.8, 1.states-and-transitions.9',
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const { acceptanceToken } = await step('The issuer asks a wallet to return in a second', () =>
      deferCredential(context, wallet, { deferredSeconds: 1 }),
    )
    const round = () => atOnce(polls, () => askForDeferred(context, acceptanceToken))
    const answers = await step(
      `It sends ${polls} polls at the same time until the credential is ready`,
      () =>
        eventually(
          'the credential',
          async () => {
            const all = await round()
            const faults = all.filter(({ status }) => status >= 500)
            expectEqual('the server errors', faults.length, 0)
            return all.some(({ status }) => status === 200) ? all : undefined
          },
          context,
        ),
    )
    await step('All responses contain the same credential', () => {
      const credentials = new Set(
        answers
          .filter(({ status }) => status === 200)
          .map(({ json }) => (json as { credential: string }).credential),
      )
      expectEqual('the number of different credentials', credentials.size, 1)
      const { vc } = readCredential([...credentials][0] ?? '')
      expectEqual('the holder', vc.credentialSubject.id, wallet.account.did)
      const statuses = answers.map(({ status }) => status)
      expectTrue(
        'the others are 202, 200 or 400',
        statuses.every((s) => [200, 202, 400].includes(s)),
        statuses,
      )
    })
  },
})

export const scenarios = [
  offersAtOnce,
  oneCodeManyWallets,
  oneTokenManyRequests,
  deferredPollsAtOnce,
]
