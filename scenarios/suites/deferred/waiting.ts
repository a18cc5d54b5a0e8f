import { setTimeout as sleep } from 'node:timers/promises'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { secondOrganization } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord, listRecords } from '#scenarios/fixtures/portal.ts'
import { askForDeferred, deferCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import type { DeferralOptions } from '#wallet-emulator/actions/request-credential.ts'

const notReady = defineScenario({
  id: 'deferred/not-ready',
  title: 'A poll for a credential that is not ready always returns 202',
  algorithms: ['ES256K'],
  description: `
The credential requires a signature on paper first, which takes an hour. Each poll before that is a
**202** with the acceptance token for the next poll and with \`Retry-After\`, so that the wallet does not
need to guess. Polling neither speeds up the issuance nor breaks it, and the record stays \`pending\`.`,
  references: cite(
    'Profile: 1.states-and-transitions.8',
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12, 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.13',
    'RFC 9110: 10.2.3',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { organizationIdentifier } = secondOrganization(context)
    const deferredSeconds = 3600

    const { acceptanceToken, subjectId } = await step('The wallet asks for a credential', () =>
      deferCredential(context, wallet, { deferredSeconds, organizationIdentifier }),
    )
    await step('It polls five times: 202 each', async () => {
      for (let poll = 1; poll <= 5; poll++) {
        const answer = await askForDeferred(context, acceptanceToken)
        const { acceptance_token, credential } = expectJson(answer, 202)
        expectEqual('the token for the next poll', acceptance_token, acceptanceToken)
        expectEqual('the credential', credential, undefined)
        const seconds = Number(answer.headers.get('retry-after'))
        const isSensible = seconds > deferredSeconds - 60 && seconds <= deferredSeconds
        expectTrue('Retry-After is the remaining time', isSensible, seconds)
      }
    })
    await step('The record is pending', async () => {
      const bearerToken = await control.createBearerToken({ organizationIdentifier })
      const records = await listRecords(context, { bearerToken, organizationIdentifier })
      const record = records.find(({ subject_id: id }) => id === subjectId)
      expectEqual('its status', record?.status, 'pending')
    })
  },
})

const readyAtOnce = defineScenario({
  id: 'deferred/ready-at-once',
  title: 'A deferred credential has the form of an immediate one',
  description: `
The credential endpoint answers with an \`acceptance_token\` and a \`c_nonce\` instead of the credential.
At the first poll it is ready: **200**, with \`format\` and \`credential\` as in a response of the
credential endpoint, and about the DID of the proof. The record becomes issued only now.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11..13',
    'Profile: 1.states-and-transitions.9',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { organizationIdentifier } = secondOrganization(context)

    const { acceptanceToken } = await step('The wallet asks, and gets an acceptance token', () =>
      deferCredential(context, wallet, { deferredSeconds: 0, organizationIdentifier }),
    )
    const credential = await step('It polls: 200 with the credential', async () => {
      const answer = await askForDeferred(context, acceptanceToken)
      const { format, credential, ...others } = expectJson(answer, 200)
      expectEqual('the format', format, 'jwt_vc_json')
      expectEqual('further members', others, {})
      expectMatch('cache-control', answer.headers.get('cache-control'), /no-store/)
      return readCredential(String(credential))
    })
    await step('It is about the DID of the proof, and the record is issued', async () => {
      expectEqual('sub', credential.payload.sub, wallet.account.did)
      const bearerToken = await control.createBearerToken({ organizationIdentifier })
      const { credentialId } = credential
      const owner = { bearerToken, organizationIdentifier }
      await awaitRecord(context, { ...owner, credentialId, status: 'issued' })
    })
  },
})

const hour = 3600

const readyAfterAnHour = defineScenario({
  id: 'deferred/ready-after-an-hour',
  title:
    'A credential that takes an hour to prepare is available after an hour, and valid from then on',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The scenario moves the testbed's **clock**. Shortly before the end of the hour the poll is still a 202.
Shortly after it the same acceptance token yields the credential. Its validity begins when it is handed
over, not when it was requested: from \`iat\` a verifier learns when the issuer's key signed.`,
  references: cite(
    'Profile: 1.states-and-transitions.8, 1.states-and-transitions.9',
    'Assumptions: A-28, A-44',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { organizationIdentifier } = secondOrganization(context)

    const { acceptanceToken } = await step('The wallet asks for a credential', () =>
      deferCredential(context, wallet, { deferredSeconds: hour, organizationIdentifier }),
    )
    const asked = context.now()
    await step('Almost an hour passes: 202', async () => {
      await control.advanceClock(hour - 120)
      expectJson(await askForDeferred(context, acceptanceToken), 202)
    })
    const credential = await step(
      'The hour is over: the same token yields the credential',
      async () => {
        await control.advanceClock(240)
        const { format, credential } = expectJson(
          await askForDeferred(context, acceptanceToken),
          200,
        )
        expectEqual('the format', format, 'jwt_vc_json')
        return readCredential(String(credential))
      },
    )
    await step('Its validity begins now', () => {
      const { iat, nbf } = credential.payload as Record<string, number>
      const now = context.now()
      expectTrue('iat is now', Math.abs(Number(iat) - now) < 60, [iat, now])
      expectEqual('nbf', nbf, iat)
      expectTrue('iat is not the time of the request', Number(iat) >= asked + hour, [iat, asked])
    })
    await step('The record is issued', async () => {
      const bearerToken = await control.createBearerToken({ organizationIdentifier })
      const owner = { bearerToken, organizationIdentifier }
      const { credentialId } = credential
      await awaitRecord(context, { ...owner, credentialId, status: 'issued' })
    })
  },
})

const pollsSeconds = 600

const walletPolls = defineScenario({
  id: 'deferred/wallet-polls',
  title: 'A wallet polls at the interval of the issuer until its credential is available',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The wallet emulator polls on its own. While it waits, the testbed's **clock** advances. Its first poll is
too early: the 202 contains the remaining time (\`Retry-After\`). The wallet waits at least that long,
polls again with the same token, and keeps the credential. It polls twice in total.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12, 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.13',
    'RFC 9110: 10.2.3',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const waits: number[] = []

    const { offerUri } = await step('The issuer creates an offer that takes ten minutes', () =>
      control.createOffer({ deferredSeconds: pollsSeconds }),
    )
    await step('The wallet accepts it, polls, and keeps the credential', async () => {
      const wait = (milliseconds: number) => {
        waits.push(milliseconds / 1000)
        return control.advanceClock(Math.ceil(milliseconds / 1000))
      }
      await acceptOfferLink(context, wallet, offerUri, { deferral: { wait } })
      expectEqual('credentials in the wallet', (await wallet.store.listCredentials()).length, 1)
    })
    await step('It polled too early once, and then waited as long as the issuer asked', () => {
      const [first = 0, second = 0, ...others] = waits
      expectTrue('it waited at least a second before it polled', first >= 1, waits)
      const minimum = pollsSeconds - first
      // Real time passes too: the issuer's value may be some seconds less.
      expectTrue(
        'then it waited as long as the issuer asked',
        second <= minimum && second > minimum - 60,
        waits,
      )
      expectEqual('further waits', others, [])
    })
  },
})

const givesUpSeconds = 7200

const maximumPolls = 4

const walletGivesUp = defineScenario({
  id: 'deferred/wallet-gives-up',
  title: 'A wallet that would have to wait too long stops and reports it',
  algorithms: ['ES256K'],
  description: `
The credential takes two hours, as the first **202** of the issuer says (\`Retry-After\`). A wallet must
not poll indefinitely. A wallet that waits at most a quarter of an hour stops immediately, since a poll
before that time would be useless. A more patient wallet polls a limited number of times, never earlier
than the issuer asked, and then stops. Neither wallet keeps a partial result.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12',
    'Profile: 1.states-and-transitions.8',
    'RFC 9110: 10.2.3',
  ),

  async run(context) {
    const { step, control, signal } = context
    /** The wallet's waits in milliseconds; no real time passes. */
    const expectAbandoned = async (deferral: DeferralOptions): Promise<number[]> => {
      const wallet = context.createWallet()
      const waits: number[] = []
      const wait = (milliseconds: number) => {
        waits.push(milliseconds)
        return sleep(1, undefined, { signal })
      }
      const { offerUri } = await control.createOffer({ deferredSeconds: givesUpSeconds })
      const accepted = acceptOffer(wallet, offerUri, { deferral: { ...deferral, wait } })
      await expectWalletRefusal('the acceptance', accepted, { code: 'deferred_time_out' })
      expectEqual("the wallet's credentials", await wallet.store.listCredentials(), [])
      return waits
    }

    await step('A wallet of ordinary patience polls once and stops', async () => {
      const waits = await expectAbandoned({})
      expectEqual('the number of polls', waits.length, 1)
    })
    await step(
      `A patient one polls ${maximumPolls} times, not earlier than the issuer asked`,
      async () => {
        const longestWaitMilliseconds = Number.POSITIVE_INFINITY
        const [, ...later] = await expectAbandoned({ maximumPolls, longestWaitMilliseconds })
        expectEqual('the number of further polls', later.length, maximumPolls - 1)
        const minimum = (givesUpSeconds - 60) * 1000
        expectTrue('it waited as long as the issuer said', Math.min(...later) >= minimum, later)
      },
    )
  },
})

export const scenarios = [notReady, readyAtOnce, readyAfterAnHour, walletPolls, walletGivesUp]
