import { parseJws } from '#core/crypto/jws.ts'
import { createDeferredCredentialRequest } from '#core/oid4vci/credential-request.ts'
import {
  parseCredentialResponse,
  zImmediateCredentialResponse,
} from '#core/oid4vci/credential-response.ts'
import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { findRefusal, requireAnswer } from '../../../kit/classify-answer.ts'
import { worstOf } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import { credentialIdOf, defer } from '../credentials.ts'
import { listAsPremise, signIn } from '../portal-steps.ts'
import { askForCredential, reachAnswer } from '../redeeming.ts'

/** Seconds before the end of a lifetime, enough for a slow request. */
const margin = 20

const polls = 5

const monthSeconds = 30 * 86_400

const verdictSource = 'the responses of the deferred endpoint'

export const checks = defineChecks<IssuerContext>({
  'I140-deferred-credential': {
    title: 'A deferred credential is one credential, and is bound to the key of the proof',
    level: 'final',
    expectation: 'accept',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.13'],
    clauses: ['OpenID4VCI 1.0, 8.1', 'OpenID4VCI 1.0, 9'],
    description:
      'If simultaneous polls create several credentials, the revocation of one leaves the others valid. Without the key of the holder, no holder can present it.',
    sends: `Two wallets request a deferred credential. When both must be ready, POST /deferred_credential ${polls} times simultaneously for each.`,
    decides:
      'At least one returns 200, and none 500. All credentials of a wallet have the same id, which differs from that of the other wallet, and the DID that proved its key as credentialSubject.id.',
    fix: 'Create the deferred credential once, for the DID in kid of the proof, in one atomic step. Return the stored credential to simultaneous polls, or reject them with a 4xx.',
    needs: ['deferred'],
    timeLimitMilliseconds: 660_000,
    async run(context) {
      const wallets = [await defer(context), await defer(context)]
      await context.letPass(context.deferredSeconds + 1)
      const answers = await Promise.all(
        wallets.flatMap(({ poll, holderDid }) =>
          Array.from({ length: polls }, async () => ({ ...(await poll()), holderDid })),
        ),
      )
      const holders = new Map<unknown, string>()
      for (const { status, json, holderDid } of answers) {
        if (status === 500) {
          const details = { expected: 'a success or a 4xx', actual: status, verdictSource }
          return broken('A simultaneous poll failed.', { ...details, level: 'practice' })
        }
        if (status !== 200) continue
        const result = zImmediateCredentialResponse.safeParse(json)
        const jws = result.success ? parseJws(result.data.credential) : undefined
        if (!jws?.ok) {
          const details = { expected: 'a credential or a 4xx', actual: json, verdictSource }
          return broken('A simultaneous poll was answered with 200, but no credential.', details)
        }
        const vc = (jws.payload.vc ?? {}) as Readonly<Record<string, unknown>>
        const subject = (vc.credentialSubject as { id?: unknown } | undefined)?.id
        if (subject !== holderDid) {
          return broken('The credential is not about the holder of the key.', {
            expected: holderDid,
            actual: subject,
            verdictSource,
          })
        }
        const id = credentialIdOf({ vc, jws })
        if ((holders.get(id) ?? holderDid) !== holderDid) {
          return broken('Two wallets got credentials with the same id.', { verdictSource })
        }
        holders.set(id, holderDid)
      }
      if (holders.size > wallets.length) {
        const observed = `${holders.size} different credentials were delivered to ${wallets.length} wallets.`
        return broken(observed, { verdictSource })
      }
      return new Set(holders.values()).size < wallets.length
        ? inconclusive('Not each wallet got its credential: see I68.')
        : held('One credential for each holder was delivered.', { verdictSource })
    },
  },
  'I156-other-key-while-deferred': {
    title: 'A deferred credential is not issued to a second key',
    level: 'practice',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11'],
    clauses: ['OpenID4VCI 1.0, 8.1'],
    description:
      'While a credential is being prepared, its session is still open. A second request must not replace the holder who has proved possession of a key.',
    sends:
      'In the session of a deferred credential, with the c_nonce of its response, a credential request with a proof of another key, and one with a proof of the same key. Then polls until the credential is ready.',
    decides:
      'The first request returns 4xx, the second one does not fail with a 500, and the delivered credential is bound to the first key. Without a c_nonce in the response the check is inconclusive.',
    fix: 'Store the DID of the proof when you defer a credential. Reject another credential request of the session with a 4xx, such as 400.',
    needs: ['deferred'],
    timeLimitMilliseconds: 660_000,
    async run(context) {
      const { session, holderDid, poll } = await defer(context)
      const { cNonce } = session.token
      if (cNonce === undefined)
        return inconclusive('The deferred response has no c_nonce: see I67.')
      const json = createRequestBody(context.createWallet(), session, cNonce)
      const answer = await askForCredential(context, session, { json })
      const finding = findRefusal(answer, { what: 'The request with a proof of another key' })
      if (finding.kind !== 'held') return finding
      const wrong = await askForCredential(context, session, { cNonce: 'a-nonce-of-my-own' })
      const { c_nonce: fresh } = Object(wrong.json) as Record<string, unknown>
      if (typeof fresh === 'string') {
        const own = await askForCredential(context, session, { cNonce: fresh })
        const what = 'The request with another proof of the same key'
        if (own.status === 500) return findRefusal(own, { what })
      }
      await context.letPass(context.deferredSeconds + 1)
      const delivered = await reachAnswer('the delivery', poll())
      const result = parseCredentialResponse(delivered.json)
      if (!result.ok || result.response.kind === 'deferred') {
        return inconclusive('The response is not a credential: see I68.')
      }
      const text = Buffer.from(result.response.credential.split('.')[1] ?? '', 'base64url')
      return text.includes(holderDid)
        ? finding
        : broken('The delivered credential does not name the first holder.', {
            expected: holderDid,
            verdictSource,
          })
    },
  },
  'I157-acceptance-token-lifetime': {
    title: 'An acceptance_token lives as long as the access token, but not forever',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
    clauses: ['OpenID4VCI 1.0, 9.1'],
    description:
      'A holder opens the wallet again the next day. A token that never expires still yields the credential to an attacker who finds it in an old backup.',
    sends: `A poll ${margin} seconds before expires_in of the token response has passed, and in another session a first poll a month after its end, and another one without the access token.`,
    decides: 'The first returns 200, the other ones 4xx.',
    fix: 'Let acceptance_token expire together with the access token or some time later. Compare its expiry with the current time at each poll.',
    needs: ['deferred', 'clock'],
    async run(context) {
      const first = await defer(context)
      const { expiresIn } = first.session.token
      if (expiresIn === undefined) return inconclusive('There is no expires_in: see I10.')
      if (expiresIn <= context.deferredSeconds + margin) {
        return inconclusive(`The access token is valid for only ${expiresIn} seconds.`)
      }
      await context.advanceClock(expiresIn - margin)
      const what = `The poll after ${expiresIn - margin} seconds`
      requireAnswer(await first.poll(), what)
      const second = await defer(context)
      await context.advanceClock(expiresIn + monthSeconds)
      const { deferredCredentialEndpoint } = second.session.resolved.metadata
      const json = createDeferredCredentialRequest(second.acceptanceToken)
      const late = 'a month after the end of the access token'
      const finding = worstOf([
        findRefusal(await second.poll(), { what: `The first poll ${late}` }),
        findRefusal(await context.http.request(deferredCredentialEndpoint, { json }), {
          what: `A poll without an access token ${late}`,
        }),
      ])
      return finding.kind === 'held'
        ? held(`${what} succeeded. ${finding.reason}.`, { verdictSource })
        : finding
    },
  },
  'I158-revoked-while-deferred': {
    title: 'A credential that was revoked while it is deferred is not delivered',
    level: 'practice',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.states-and-transitions.3'],
    description:
      'The representative notices a mistake while the wallet still polls. A credential that is delivered after its revocation looks valid to its holder.',
    sends:
      'Requests a credential of create-deferred-offer, revokes its record in the list of the organization, and polls until the credential must be ready.',
    decides:
      'No poll returns 200: each returns 202 or 4xx, and the last one 4xx. If the list has no record of the offer, the check is inconclusive.',
    fix: 'Check the status of the record before you deliver a deferred credential. If it is revoked, reject the poll with a 4xx, such as 400.',
    needs: ['deferred', 'portal'],
    timeLimitMilliseconds: 660_000,
    async run(context) {
      const signedIn = await signIn(context.portal())
      const known = new Set((await listAsPremise(signedIn)).map(({ id }) => id))
      const { poll } = await defer(context)
      const record = (await listAsPremise(signedIn)).find(({ id }) => !known.has(id))
      if (typeof record?.credential_id !== 'string') {
        return inconclusive('The list has no record of create-deferred-offer.')
      }
      const { portal, headers } = signedIn
      const json = { credential_id: record.credential_id }
      await reachAnswer('the revocation', portal.post('credential/revoke', json, headers))
      const first = await poll()
      const early =
        first.status === 202
          ? held('The first poll was asked to wait.', { verdictSource })
          : findRefusal(first, { what: 'The first poll after the revocation' })
      // The time until the last poll would leave none for a second attempt.
      if (early.kind === 'broken') return early
      const seconds = context.deferredSeconds + 1
      await context.letPass(seconds)
      const what = `The poll ${seconds} seconds after the revocation`
      return worstOf([early, findRefusal(await poll(), { what })])
    },
  },
})
