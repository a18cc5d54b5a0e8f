import { parseJws } from '#core/crypto/jws.ts'
import { parseCredentialResponse } from '#core/oid4vci/credential-response.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, classifyStatus } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../context.ts'
import { askAgain, credentialIdOf, credentialIn, defer, obtainCredential } from '../credentials.ts'
import { listAsPremise, requestOwnOffer, signIn } from '../portal-steps.ts'
import { openSession, type Session } from '../proofs.ts'
import { askForCredential, askForToken, reachAnswer, readOffer, redeem } from '../redeeming.ts'
import { findWalletRefusal } from '../refusals.ts'

/** The Connector may confirm a delivery after it has answered the wallet. */
const mostReads = 20

export const checks = defineChecks<IssuerContext>({
  'I150-delivery-recorded': {
    title: 'The record of a delivered credential does not stay pending',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.9', '1.states-and-transitions.1'],
    description:
      'A portal shows who has a credential. Without the confirmation of the Connector it shows people who can already act for the organization as if they could not.',
    sends: `A representative requests two offers. A wallet accepts the first one, and redeems only the code of the second one. The kit reads the list before, in between and up to ${mostReads} times after the delivery; if the target supports it, also for a deferred credential.`,
    decides:
      'Each record is pending until its credential is delivered. The status of the delivered one then changes, and that of the other one does not. The profile does not specify the new value.',
    fix: 'Let the Connector confirm each delivery at POST /issuance/notifications, after the response with the credential, and change only the status of that record.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const order = async () => {
        const known = new Set((await listAsPremise(signedIn)).map(({ id }) => id))
        const made = await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn))
        const record = (await listAsPremise(signedIn)).find(({ id }) => !known.has(id))
        return { made, id: record?.id ?? endCheck(inconclusive('There is no record: see I80.')) }
      }
      const statusOf = async (id: unknown) =>
        (await listAsPremise(signedIn)).find((record) => record.id === id)?.status
      const statusAfterDelivery = async (id: unknown) => {
        let status = await statusOf(id)
        for (let read = 1; status === 'pending' && read < mostReads; read++) {
          status = await statusOf(id)
        }
        return status
      }
      const [delivered, other] = [await order(), await order()]
      const verdictSource = 'status in the list of /issuance/credential'
      const { resolved } = await readOffer(context, { made: other.made })
      await reachAnswer('the token request', askForToken(context, resolved))
      const before = [await statusOf(delivered.id), await statusOf(other.id)]
      if (before.some((status) => status !== 'pending')) {
        const details = { expected: 'pending', actual: before, verdictSource }
        return broken('A record is not pending, although no credential was delivered.', details)
      }
      await obtainCredential(context, { made: delivered.made })
      const after = await statusAfterDelivery(delivered.id)
      if (after === 'pending' || after === undefined) {
        const details = { expected: 'not pending', actual: after ?? 'no record', verdictSource }
        return broken('The delivery did not change the status of the record.', details)
      }
      const untouched = await statusOf(other.id)
      if (untouched !== 'pending') {
        return broken('The delivery changed the record of another credential.', {
          expected: 'pending',
          actual: untouched,
          verdictSource,
        })
      }
      const finding = held(`Only the delivered one is ${after}.`, { verdictSource })
      if (!context.can('deferred') || !context.can('clock')) return finding
      const known = new Set((await listAsPremise(signedIn)).map(({ id }) => id))
      const { poll } = await defer(context)
      const deferred = (await listAsPremise(signedIn)).find(({ id }) => !known.has(id))
      // Its offers may be of another organization.
      if (deferred === undefined) return finding
      await context.advanceClock(context.deferredSeconds + 1)
      await reachAnswer('the delivery', poll())
      const late = await statusAfterDelivery(deferred.id)
      if (deferred.status === 'pending' && late !== 'pending') return finding
      return broken(
        'Deferred: the record is not pending until its delivery, and only until then.',
        {
          expected: ['pending', 'another status'],
          actual: [deferred.status, late],
          verdictSource,
        },
      )
    },
  },
  'I151-one-credential-per-offer': {
    title: 'An offer yields its credential only once, and only for one key',
    level: 'practice',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['OpenID4VCI 1.0, 13.8'],
    description:
      'The offer was made for one person. A second credential for another key could pass to another person, and the revocation of the first one would leave it valid.',
    sends:
      'After the delivery of the credential, in the same session and with a fresh c_nonce, a request with a proof of the same key, this one again, then a request with a proof of another key.',
    decides:
      'The first returns 4xx or the same credential, and then the second returns 4xx. The last returns 4xx. If the issuer returns no c_nonce after the delivery, the check is inconclusive.',
    fix: 'Store the DID of the proof with the offer. If the key of a request for a delivered credential differs, return a 4xx; otherwise, return a 4xx or the stored credential.',
    async run(context) {
      const session = await openSession(context)
      const first = await reachAnswer('the first request', askForCredential(context, session))
      const delivered = credentialIn(first)
      if (delivered === undefined) return inconclusive('The credential is deferred: see I21.')
      const verdictSource = 'the second response of the credential endpoint'
      const { answer: again, json } = await askAgain(context, session, session)
      const isRepeated = classifyStatus(again.status) === 'accepted'
      const repeated = isRepeated ? credentialIn(again) : undefined
      if (isRepeated && repeated?.id !== delivered.id) {
        return broken('A second credential was issued for one offer.', {
          expected: delivered.id,
          actual: repeated?.id,
          verdictSource,
        })
      }
      const refusal = isRepeated
        ? findWalletRefusal(await askForCredential(context, session, { json }), {
            what: 'The same proof once more, after the same key got the same credential',
          })
        : findWalletRefusal(again, { what: 'A proof of the same key' })
      if (refusal.kind !== 'held') return refusal
      const stranger: Session = { ...session, wallet: context.createWallet() }
      const { answer } = await askAgain(context, session, stranger)
      if (classifyStatus(answer.status) === 'accepted') {
        const { subject, id } = credentialIn(answer) ?? {}
        return broken('The credential of the offer was also issued to another key.', {
          expected: 'a 4xx',
          actual: { status: answer.status, subject, isSameId: id === delivered.id },
          verdictSource: 'the last response of the credential endpoint',
        })
      }
      return findWalletRefusal(answer, { what: 'A proof of another key' })
    },
  },
  'I152-offer-of-several': {
    title: 'An offer of several credentials yields each of them',
    level: 'final',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-offer-object.2'],
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description:
      'A wallet requests one after the other with the same access token. An issuer that ends the session after the first one breaks its promise.',
    sends:
      'Accepts an offer of several credentials, with the c_nonce of the previous response if it has one.',
    decides:
      'The credential endpoint returns a credential of the type of each entry, for the same holder and with different ids, and a fresh c_nonce for each next proof.',
    fix: 'Keep the access token valid until all credentials of the offer are delivered, and return a fresh c_nonce with each but the last. Issue the type that the request names.',
    needs: ['several'],
    async run(context) {
      const made = await context.createOffer('several')
      const { wallet, resolved, token } = await redeem(context, { made })
      const { metadata, offered } = resolved
      if (offered.length < 2) return inconclusive('create-offer-of-several offers only one.')
      const verdictSource = 'the responses of the credential endpoint'
      const ids = new Set<unknown>()
      let { cNonce } = token
      let isNonceRejected = false
      for (const entry of offered) {
        const { accessToken } = token
        const request = { metadata, entry, accessToken, ...(cNonce !== undefined && { cNonce }) }
        const one = { wallet, token, resolved: { ...resolved, offered: [entry] } }
        const answer = await askForCredential(context, one, { cNonce })
        const parsed = parseCredentialResponse(answer.json)
        // After a rejection, a wallet tries again with the c_nonce of the rejection.
        const response = parsed.ok ? parsed.response : await requestCredential(wallet, request)
        isNonceRejected ||= !parsed.ok
        if (response.kind === 'deferred') return inconclusive('A credential is deferred.')
        const jws = parseJws(response.credential)
        if (!jws.ok) return inconclusive('A credential is not a JWT: see I54.')
        const vc = (jws.payload.vc ?? {}) as Readonly<Record<string, unknown>>
        const types = [vc.type].flat()
        const expected = entry.types.at(-1)
        if (!types.includes(expected)) {
          const details = { expected, actual: types, verdictSource }
          return broken('A credential does not have the requested type.', details)
        }
        ids.add(credentialIdOf({ vc, jws }))
        const isLast = entry === offered.at(-1)
        if (!isLast && cNonce !== undefined && response.cNonce === undefined) {
          const details = { expected: 'c_nonce', verdictSource, level: 'practice' } as const
          return broken('The response has no c_nonce for the next credential.', details)
        }
        cNonce = response.cNonce
      }
      if (isNonceRejected) {
        const reason =
          'A c_nonce of the previous response is rejected, and the one of the rejection works.'
        return broken(reason, { verdictSource, level: 'practice' })
      }
      return ids.size === offered.length
        ? held(`All ${ids.size} credentials were issued.`, { verdictSource })
        : broken('Two credentials of the offer have the same id.', { verdictSource })
    },
  },
})
