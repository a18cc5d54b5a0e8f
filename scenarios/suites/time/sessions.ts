import { acceptOfferLink, collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { requestOwnOffer } from '#scenarios/fixtures/portal.ts'
import {
  postPresentation,
  preparePresentation,
  presentCredential,
} from '#scenarios/fixtures/presentations.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectMatch,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

/** profile/issuer, Limits: QR_EXPIRATION_TIME, default 300 seconds. */
const qrExpirationSeconds = 300

const expiredQr = defineScenario({
  id: 'time/expired-qr',
  title: 'A QR code that is scanned too late does not yield a credential',
  exclusive: true,
  description: `
The QR code of an offer is valid for \`QR_EXPIRATION_TIME\`, 300 seconds by default. The scenario moves the
testbed's clock past that time before the wallet scans. The token endpoint rejects the code as expired,
and the wallet does not keep a credential.

A new request yields a new QR code, which works.`,
  references: cite(
    'Profile: 1.states-and-transitions.5',
    'Profile: 1.limits.1',
    'OpenID4VCI 1.0: 4.1.1',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const power = powersToRequest(organization)
    const wallet = context.createWallet()

    const late = await step('The portal gets a QR code', async () => {
      const token = await control.createBearerToken({ organizationIdentifier })
      return readQr(context, 'QR code that expires', await requestOwnOffer(context, token, power))
    })
    await step(`${qrExpirationSeconds + 1} seconds pass`, () =>
      control.advanceClock(qrExpirationSeconds + 1),
    )
    await step('The issuer rejects the wallet and says that the code expired', async () => {
      await expectWalletRefusal('the expired offer', acceptOffer(wallet, late), {
        code: 'token_refused',
        status: 400,
        error: 'invalid_grant',
        description: /expired/i,
      })
      expectEqual('the credentials kept', await wallet.store.listCredentials(), [])
    })
    await step('A new QR code works', async () => {
      const token = await control.createBearerToken({ organizationIdentifier })
      const png = await requestOwnOffer(context, token, power)
      await acceptOfferLink(context, wallet, readQr(context, 'New QR code', png))
    })
  },
})

/** profile/issuer, Limits: QR_EXPIRATION_TIME, default 300 seconds. */
const lifetime = 300

const sessionExpires = defineScenario({
  id: 'time/session-expires',
  title: 'A login that is not answered in time fails permanently',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
Two browsers show a QR code. One wallet has read its request but does not answer yet, the other one does
not scan its code for ${lifetime} seconds. Then:

- both sessions are \`FAILED\`, and the page offers a new code,
- the first wallet posts a presentation that was signed in time: it has no effect, as a finished session
  never changes,
- the second wallet scans now, receives no request, and stops.

A new login succeeds.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/verification-session',
    'Profile: 1.limits.1',
    'Assumptions: A-30, A-31',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet),
    )
    const [hesitated, unseen] = await step('Two browsers show a QR code', async () => [
      (await beginLogin(context)).login,
      (await beginLogin(context)).login,
    ])
    if (!hesitated || !unseen) throw new TypeError('unreachable')
    const prepared = await step(
      'The wallet signs its response to the first one but does not post it',
      () => preparePresentation(context, wallet, hesitated.link),
    )
    try {
      await step('The time is over: both have failed', async () => {
        await control.advanceClock(lifetime + 1)
        await hesitated.awaitEnd('FAILED')
        await unseen.awaitEnd('FAILED')
        const { text } = await hesitated.reload()
        expectMatch('the page', text, /data-state="expired"/)
      })
      await step('The late presentation has no effect', async () => {
        const answer = expectStatus(await postPresentation(context, prepared), 200)
        expectEqual('the response', answer.json, {})
        await hesitated.awaitEnd('FAILED')
      })
      await step('A wallet that scans now stops', () =>
        expectWalletRefusal('the late scan', presentCredential(context, wallet, unseen.link), {
          code: 'invalid_request',
          status: 410,
        }),
      )
      await step('A new login succeeds', () => logIn(context, wallet))
    } finally {
      await control.resetClock()
    }
  },
})

const twoDays = 2 * 86_400

const clockBack = defineScenario({
  id: 'time/clock-back',
  title: 'After the clock is reset, everything works as before',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
With the clock two days ahead, a wallet collects a credential and logs in with it. Then the clock
returns to real time. The credential now comes from the future, and verifiers reject it. Nothing else is
affected: another wallet collects a credential and logs in.

A testbed that required a restart after its clock was moved would be impractical.`,
  references: cite(
    'docs/reference/control-interface.md: DELETE /control/clock',
    'Assumptions: A-28',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const fromTheFuture = context.createWallet()
    const wallet = context.createWallet()
    try {
      await step('Two days ahead a wallet collects a credential and logs in', async () => {
        await control.advanceClock(twoDays)
        await collectCredential(context, fromTheFuture)
        await logIn(context, fromTheFuture)
      })
    } finally {
      await control.resetClock()
    }
    await step('The clock is reset', async () => {
      const now = await control.readClock()
      // In this process `Date` may show the testbed's time.
      const difference = now - (performance.timeOrigin + performance.now()) / 1000
      expectTrue('it shows real time', Math.abs(difference) < twoDays / 2, difference)
    })
    await step('The credential comes from the future now', () =>
      expectLoginRefused(
        context,
        fromTheFuture,
        'credential.issued-at',
        'credential.issuer-document',
        'credential.issuer-key',
        'credential.not-before',
      ),
    )
    await step('Another wallet collects one and logs in', async () => {
      await collectCredential(context, wallet)
      await logIn(context, wallet)
    })
  },
})

export const scenarios = [expiredQr, sessionExpires, clockBack]
