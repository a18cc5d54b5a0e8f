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
  title: 'Not ready is 202, as often as one asks',
  algorithms: ['ES256K'],
  description: `
Somebody has to sign on paper first, which takes an hour. Each poll before that is a **202** with the
acceptance token to ask with again, and with \`Retry-After\`, so that a wallet need not guess. Asking
neither speeds it up nor spoils it, and the record is \`pending\` all the while.`,
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
        expectEqual('the token to ask with again', acceptance_token, acceptanceToken)
        expectEqual('the credential', credential, undefined)
        const seconds = Number(answer.headers.get('retry-after'))
        const isSensible = seconds > deferredSeconds - 60 && seconds <= deferredSeconds
        expectTrue('Retry-After is the time that is left', isSensible, seconds)
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
  title: 'A deferred credential is handed over in the shape of an immediate one',
  description: `
The credential endpoint answers with an \`acceptance_token\` and a \`c_nonce\` in place of the
credential. By the first poll it is ready: **200**, with \`format\` and \`credential\` as the credential
endpoint itself would have answered, and about the DID that the proof was made with. The record is
issued only now.`,
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
  title: 'A credential that takes an hour is there after an hour, and valid from then',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The scenario moves the testbed's **clock**. Shortly before the hour is over the poll is still a 202,
shortly after it the same acceptance token brings the credential. It begins to be valid when it is
handed over, not when it was asked for: what a verifier learns from \`iat\` is when the issuer's key
signed.`,
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
    const credential = await step('The hour is over: the same token brings it', async () => {
      await control.advanceClock(240)
      const { format, credential } = expectJson(await askForDeferred(context, acceptanceToken), 200)
      expectEqual('the format', format, 'jwt_vc_json')
      return readCredential(String(credential))
    })
    await step('It is valid from now on', () => {
      const { iat, nbf } = credential.payload as Record<string, number>
      const now = context.now()
      expectTrue('iat is now', Math.abs(Number(iat) - now) < 60, [iat, now])
      expectEqual('nbf', nbf, iat)
      expectTrue('and not when it was asked for', Number(iat) >= asked + hour, [iat, asked])
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
  title: 'A wallet polls until its credential is there, as the issuer tells it to',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The wallet emulator is left to itself; while it waits, the testbed's **clock** moves on. Its first poll
comes too early: the 202 says how long it still takes (\`Retry-After\`), the wallet waits that long and
not less, asks again with the same token, and keeps the credential. Two polls, no more.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12, 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.13',
    'RFC 9110: 10.2.3',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const waits: number[] = []

    const { offerUri } = await step('The issuer makes an offer that takes ten minutes', () =>
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
    await step('It asked too early once, and then waited as long as it was told', () => {
      const [first = 0, second = 0, ...others] = waits
      expectTrue('it waited a second at least before it asked', first >= 1, waits)
      const told = pollsSeconds - first
      // Real time goes on besides: the issuer may have named some seconds less.
      expectTrue('then as long as it was told', second <= told && second > told - 60, waits)
      expectEqual('further waits', others, [])
    })
  },
})

const givesUpSeconds = 7200

const maximumPolls = 4

const walletGivesUp = defineScenario({
  id: 'deferred/wallet-gives-up',
  title: 'A wallet that would wait in vain stops, and says so',
  algorithms: ['ES256K'],
  description: `
The credential takes two hours, and the issuer says so with its first **202** (\`Retry-After\`). A wallet
must not poll for ever: one that waits for a quarter of an hour stops at once, since asking before that
time is in vain. One with more patience asks as often as it means to, never earlier than the issuer
said, and stops then. Neither keeps anything half done.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12',
    'Profile: 1.states-and-transitions.8',
    'RFC 9110: 10.2.3',
  ),

  async run(context) {
    const { step, control, signal } = context
    /** The wallet's waits in milliseconds, none of which it really waits. */
    const waitInVain = async (deferral: DeferralOptions): Promise<number[]> => {
      const wallet = context.createWallet()
      const waits: number[] = []
      const wait = (milliseconds: number) => {
        waits.push(milliseconds)
        return sleep(1, undefined, { signal })
      }
      const { offerUri } = await control.createOffer({ deferredSeconds: givesUpSeconds })
      const accepted = acceptOffer(wallet, offerUri, { deferral: { ...deferral, wait } })
      await expectWalletRefusal('the acceptance', accepted, { code: 'deferred_time_out' })
      expectEqual('what the wallet keeps', await wallet.store.listCredentials(), [])
      return waits
    }

    await step('A wallet of ordinary patience asks once, and gives up', async () => {
      const waits = await waitInVain({})
      expectEqual('how often it asked', waits.length, 1)
    })
    await step(
      `A patient one asks ${maximumPolls} times, not earlier than it was told`,
      async () => {
        const longestWaitMilliseconds = Number.POSITIVE_INFINITY
        const [, ...later] = await waitInVain({ maximumPolls, longestWaitMilliseconds })
        expectEqual('how often it asked again', later.length, maximumPolls - 1)
        const told = (givesUpSeconds - 60) * 1000
        expectTrue('it waited as long as the issuer said', Math.min(...later) >= told, later)
      },
    )
  },
})

export const scenarios = [notReady, readyAtOnce, readyAfterAnHour, walletPolls, walletGivesUp]
