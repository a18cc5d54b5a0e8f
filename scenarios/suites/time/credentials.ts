import { parseJws } from '#core/crypto/jws.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { giveOwnCredential, readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { firstOrganization } from '#scenarios/fixtures/organizations.ts'
import { listRecords, revokeCredential } from '#scenarios/fixtures/portal.ts'
import {
  askForCredential,
  askForDeferred,
  createRequestBody,
  deferCredential,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const credentialExpires = defineScenario({
  id: 'time/credential-expires',
  title: 'A credential can be used until it expires, and revoked afterwards',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
A wallet collects a credential. A minute before \`validUntil\` it logs its holder in. A minute after it the
verifier rejects it because of \`credential.expiry\`.

The issuer now lists the record as \`expired\`. This status is computed, not stored, and an expired
credential can still be revoked.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.5',
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.7',
    'Assumptions: A-22',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const { organizationIdentifier } = firstOrganization(context)
    const wallet = context.createWallet()
    const { payload, credentialId } = await step('A wallet collects a credential', () =>
      collectCredential(context, wallet),
    )
    const statusOf = async () => {
      const bearerToken = await control.createBearerToken({ organizationIdentifier })
      const records = await listRecords(context, { organizationIdentifier, bearerToken })
      return records.find(({ credential_id }) => credential_id === credentialId)?.status
    }
    const end = Number(payload.exp)
    expectTrue('exp is in the future', end > context.now(), payload)
    try {
      await step('A minute before its end it logs its holder in', async () => {
        await control.advanceClock(end - context.now() - 60)
        await logIn(context, wallet)
      })
      await step('A minute after its end it does not', async () => {
        await control.advanceClock(120)
        await expectLoginRefused(context, wallet, 'credential.expiry')
      })
      await step('The issuer lists it as expired', async () => {
        expectEqual('the status', await statusOf(), 'expired')
      })
      await step('It can still be revoked', async () => {
        await revokeCredential(context, credentialId)
        expectEqual('the status', await statusOf(), 'revoked')
      })
    } finally {
      await control.resetClock()
    }
  },
})

const day = 86_400

const credentialFromTomorrow = defineScenario({
  id: 'time/credential-from-tomorrow',
  title: 'A credential with a future date can be used from that date',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The issuer signs a credential with tomorrow as its date of signature and start of validity. Today the
verifier rejects it for both reasons. It cannot verify the signature either: it does not know yet which
keys the issuer will have tomorrow, and which keys it will have revoked.

A day later the same credential logs its holder in.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation',
    'Assumptions: A-28',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control, environment } = context
    const wallet = context.createWallet()
    await step("A wallet holds a credential with tomorrow's date", () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet, {
        issuedAt: context.now() + day,
      }),
    )
    await step('Today it does not log its holder in', () =>
      expectLoginRefused(
        context,
        wallet,
        'credential.issued-at',
        'credential.issuer-document',
        'credential.issuer-key',
        'credential.not-before',
      ),
    )
    try {
      await step('Tomorrow it logs its holder in', async () => {
        await control.advanceClock(day + 1)
        await logIn(context, wallet)
      })
    } finally {
      await control.resetClock()
    }
  },
})

/** The lifetime of the access token. */
const deferredSeconds = 86_400

const deferredOverADay = defineScenario({
  id: 'time/deferred-over-a-day',
  title: 'A credential that takes a day to prepare is issued after the access token has expired',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The issuer needs a day for a credential, the lifetime of the wallet's access token. The wallet receives an
\`acceptance_token\` and polls: 202 immediately, 202 shortly before the time, 200 with the credential
when it is ready. The access token has **expired** by then and is invalid at the credential endpoint.
That does not matter here, as a Bearer token is optional for a poll.

The credential is fresh: it was signed when it was ready.`,
  references: cite(
    'Profile: 1.states-and-transitions.8, 1.states-and-transitions.9',
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet',
    'Assumptions: A-44',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { acceptanceToken, redeemed } = await step(
      'The issuer asks a wallet to return later',
      () => deferCredential(context, wallet, { deferredSeconds }),
    )
    try {
      await step('It returns immediately, and shortly before the time: 202', async () => {
        expectStatus(await askForDeferred(context, acceptanceToken), 202)
        await control.advanceClock(deferredSeconds - 60)
        expectStatus(await askForDeferred(context, acceptanceToken), 202)
      })
      await step('When it is ready the access token has expired', async () => {
        await control.advanceClock(61)
        const body = createRequestBody(wallet, redeemed)
        const answer = await askForCredential(context, redeemed.token.accessToken, body)
        expectEqual('the error', expectJson(answer, 401).error, 'invalid_token')
      })
      await step('Without it the wallet gets the credential', async () => {
        const now = context.now()
        const { format, credential } = expectJson(
          await askForDeferred(context, acceptanceToken),
          200,
        )
        expectEqual('the format', format, 'jwt_vc_json')
        const { payload, vc } = readCredential(String(credential))
        expectEqual('the holder', vc.credentialSubject.id, wallet.account.did)
        const age = now - Number(payload.iat)
        expectTrue('it was signed just now', Math.abs(age) <= 5, age)
      })
    } finally {
      await control.resetClock()
    }
  },
})

const statusListRenewed = defineScenario({
  id: 'time/status-list-renewed',
  title: 'A status list expires, is renewed, and contains a revocation immediately',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
A credential refers to a status list, a signed credential at the issuer with a separate expiry date. The
scenario reads the list, moves past that date, and reads it again: it is a new list, currently valid. The
credential logs in, since the verifier does not use an expired list.

Then the credential is revoked, and the next login is rejected because of \`credential.status\`, even if
the verifier could still cache the list.`,
  references: cite('Profile: 1.states-and-transitions.3', 'Assumptions: A-23'),
  needs: ['clock'],

  async run(context) {
    const { step, control, httpAs } = context
    const wallet = context.createWallet()
    const { vc, credentialId } = await step('A wallet collects a credential', () =>
      collectCredential(context, wallet),
    )
    const { statusListCredential } = vc.credentialStatus as { statusListCredential?: string }
    const url = expectPresent('the address of its status list', statusListCredential)
    const readList = async () => {
      const answer = expectStatus(await httpAs('verifier').request(url), 200)
      const jws = parseJws(answer.text.trim())
      if (!jws.ok) throw new TypeError(`The list is not a JWT: ${jws.reason}`)
      expectMatch('max-age', answer.headers.get('cache-control'), /max-age=\d+/)
      return { from: Number(jws.payload.iat), to: Number(jws.payload.exp) }
    }
    const first = await step('The list contains its expiry date', readList)
    try {
      await step('After that date it is a new list', async () => {
        const now = await control.advanceClock(first.to - context.now() + 1)
        const second = await readList()
        expectTrue('the new list is valid now', second.from <= now && now < second.to, second)
      })
      await step('The credential logs its holder in', () => logIn(context, wallet))
      await step('After the revocation it does not, immediately', async () => {
        await revokeCredential(context, credentialId)
        await expectLoginRefused(context, wallet, 'credential.status')
      })
    } finally {
      await control.resetClock()
    }
  },
})

export const scenarios = [
  credentialExpires,
  credentialFromTomorrow,
  deferredOverADay,
  statusListRenewed,
]
