import { parseIsoTime } from '#core/verification/data-model.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, classifyStatus, requireAnswer } from '../../../kit/classify-answer.ts'
import { allHeld, findEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import { askForNonce, credentialIdOf, obtainCredential } from '../credentials.ts'
import { readEmployeeOffer } from '../mailed-offers.ts'
import {
  listAsPremise,
  obtainOwnCredential,
  readOwnOffer,
  requestOwnOffer,
  signIn,
} from '../portal-steps.ts'
import {
  askForCredential,
  askForToken,
  kindsOf,
  reachAnswer,
  readOffer,
  redeem,
  redeemCode,
} from '../redeeming.ts'
import { findAcceptance, findWalletRefusal } from '../refusals.ts'

/** Seconds before the end of a lifetime, enough for a slow request. */
const margin = 20

/** The Connector may confirm a delivery after it has answered the wallet. */
const mostReads = 20

/** An issuer may give the offers in emails a longer lifetime. */
const monthSeconds = 31 * 86_400

export const checks = defineChecks<IssuerContext>({
  'I14-code-reused': {
    title: 'A code works only once',
    level: 'final',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['OpenID4VCI 1.0, 4.1.1', 'RFC 6749, 5.2'],
    description:
      'Otherwise an attacker who reads the QR code over the holder’s shoulder can also redeem it, unnoticed.',
    sends: 'The same token request twice; if the target supports it, also for an offer with a PIN.',
    decides: 'The first returns a token; the second returns 4xx with invalid_grant.',
    fix: 'Mark pre-authorized_code as used when you issue its access token. Reject later token requests with 400 invalid_grant.',
    async run(context) {
      return findEach(kindsOf(context, ['plain', 'pin']), async (kind) => {
        const offer = await readOffer(context, { kind })
        await reachAnswer('the first token request', redeemCode(context, offer))
        return findWalletRefusal(await redeemCode(context, offer), {
          what: `The second token request with the same code (${kind})`,
          errors: ['invalid_grant'],
        })
      })
    },
  },
  'I15-code-expired': {
    title: 'A code expires',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.states-and-transitions.5', '1.limits.1'],
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description: 'A QR code on a screenshot or in a mailbox must be worthless days later.',
    sends:
      'A token request one second after the lifetime of codes has passed since the offer was read; if the target supports it, also for an offer that was read by reference, one with a PIN and one of a representative. For an offer in an email to an employee, a token request a month later.',
    decides:
      'The token endpoint returns 4xx, in OpenID4VCI with invalid_grant; a new offer works at the same time.',
    fix: 'Check the age of the offer at the token endpoint, and return 400 invalid_grant if pre-authorized_code has expired. offerLifetimeSeconds in the target file must be the lifetime that you use.',
    needs: ['clock'],
    async run(context) {
      const lifetime = context.offerLifetimeSeconds
      const offers = [
        ...kindsOf(context, ['plain', 'reference', 'pin']).map((kind) => ({
          what: kind as string,
          lifetime,
          read: () => readOffer(context, { kind }),
        })),
        ...(context.can('portal')
          ? [{ what: 'representative', lifetime, read: () => readOwnOffer(context) }]
          : []),
        // Emails may have another lifetime.
        ...(context.can('mailbox')
          ? [
              {
                what: 'employee',
                lifetime: Math.max(lifetime, monthSeconds),
                read: () => readEmployeeOffer(context),
              },
            ]
          : []),
      ]
      return findEach(offers, async ({ what, read, lifetime }) => {
        const offer = await read()
        const seconds = lifetime + 1
        await context.advanceClock(seconds)
        return findWalletRefusal(await redeemCode(context, offer), {
          what: `The token request ${seconds} seconds after the offer (${what}) was read`,
          errors: ['invalid_grant'],
        })
      })
    },
  },
  'I130-code-until-its-end': {
    title: 'A code can be redeemed until its lifetime ends',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.limits.1', '1.states-and-transitions.5'],
    description:
      'A holder who first installs a wallet needs the time that the issuer promises. A code that ends early looks like an error of the wallet.',
    sends: `A token request ${margin} seconds before the lifetime of codes has passed; if the target has a portal, also for the offer of a representative.`,
    decides: 'The token endpoint returns 200.',
    fix: 'Let pre-authorized_code expire QR_EXPIRATION_TIME seconds after the offer was created, not earlier. offerLifetimeSeconds in the target file must be that lifetime.',
    needs: ['clock'],
    async run(context) {
      const { offerLifetimeSeconds: lifetime } = context
      if (lifetime <= margin) return inconclusive(`Codes live for only ${lifetime} seconds.`)
      const what = `The token request ${lifetime - margin} seconds after the offer was made`
      const readings = [readOffer, ...(context.can('portal') ? [readOwnOffer] : [])]
      for (const read of readings) {
        const { resolved } = await read(context)
        await context.advanceClock(lifetime - margin)
        requireAnswer(await askForToken(context, resolved), what)
      }
      return held(`${what} succeeded.`, { verdictSource: 'HTTP status of the token endpoint' })
    },
  },
  'I131-tokens-until-their-end': {
    title: 'Access token and c_nonce are valid until their lifetimes end',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6'],
    clauses: ['RFC 6749, 5.1'],
    description:
      'A wallet relies on the lifetimes in the token response. If a token ends early, the offer is already redeemed, and the holder needs a new one.',
    sends: `A credential request ${margin} seconds before the shorter one of expires_in and c_nonce_expires_in has passed. In a second session, a request ${margin} seconds before expires_in. In a third one, a request with the c_nonce of a late error response, ${margin} seconds before its c_nonce_expires_in has passed.`,
    decides:
      'The first returns a credential. The second is not answered with 401: the c_nonce may have expired, but not the access token. If the third one is rejected, that is a WARN; without a c_nonce in the error response it is not sent.',
    fix: 'Compare the age of access token and c_nonce with the same lifetimes that the token response states in expires_in and c_nonce_expires_in. Start the lifetime of each c_nonce when you create it.',
    needs: ['clock'],
    async run(context) {
      const first = await redeem(context)
      const { expiresIn, cNonceExpiresIn } = first.token
      if (expiresIn === undefined) return inconclusive('There is no expires_in: see I10.')
      const shorter = Math.min(expiresIn, cNonceExpiresIn ?? expiresIn)
      if (shorter <= margin) return inconclusive(`The lifetimes are only ${shorter} seconds.`)
      const verdictSource = 'HTTP status of the credential endpoint'
      await context.advanceClock(shorter - margin)
      const what = `The credential request after ${shorter - margin} seconds`
      requireAnswer(await askForCredential(context, first), what, [200, 202])
      const second = await redeem(context)
      await context.advanceClock(expiresIn - margin)
      const { status } = await askForCredential(context, second)
      const observed = `The request ${expiresIn - margin} seconds after the token response was answered with HTTP ${status}`
      if (status === 401) {
        const details = { expected: 'not 401', actual: status, verdictSource }
        return broken(`${observed}, as if the access token had expired.`, details)
      }
      if (!['accepted', 'refused'].includes(classifyStatus(status))) {
        return inconclusive(observed, { verdictSource })
      }
      const finding = held(`${what} succeeded. ${observed}.`, { verdictSource })
      const third = await redeem(context)
      await context.advanceClock(shorter - margin)
      const { cNonce, lifetime = 0 } = await askForNonce(context, third)
      const rest = lifetime - margin
      if (cNonce === undefined || rest <= margin || shorter + rest >= expiresIn) return finding
      await context.advanceClock(rest)
      const fresh = await askForCredential(context, third, { cNonce })
      const late = `The request ${rest} seconds after an error response with its c_nonce`
      const accepted = findAcceptance(fresh, late, { level: 'practice' })
      return accepted.kind === 'held' ? allHeld([finding, accepted]) : accepted
    },
  },
  'I160-expired-record': {
    title: 'The list does not show an expired credential as valid',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.resources-and-their-fields/issuedcredential.5'],
    description: 'The list must show which people can act for the organization.',
    sends:
      'A representative gets two credentials, and the portal revokes one. The list is read before and after their validUntil.',
    decides:
      'The status of the revoked one stays. That of the other one differs afterwards, and is not expired or revoked before. The profile does not specify the values of status.',
    fix: 'Compare validUntil of each credential with the current time when you list the records, and show another status, such as expired, once it has passed.',
    needs: ['portal', 'clock'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const made = await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn))
      const credential = await obtainCredential(context, { made })
      const end = parseIsoTime(credential.vc.validUntil)
      if (end === undefined) return inconclusive('The credential has no validUntil: see I59.')
      const id = credentialIdOf(credential)
      const revoked = await obtainOwnCredential(context, signedIn)
      const { portal, headers } = signedIn
      const json = { credential_id: revoked }
      await reachAnswer('the revocation', portal.post('credential/revoke', json, headers))
      const statusOf = async (wanted: unknown = id) =>
        (await listAsPremise(await signIn(portal))).find(
          ({ credential_id }) => credential_id === wanted,
        )?.status
      const shown = await statusOf(revoked)
      let before = await statusOf()
      for (let read = 1; before === 'pending' && read < mostReads; read++) before = await statusOf()
      await context.advanceClock(Math.ceil(end - context.now()) - margin)
      const valid = await statusOf()
      await context.advanceClock(margin + 2)
      const after = await statusOf()
      const withdrawn = await statusOf(revoked)
      const verdictSource = 'status in the list of /issuance/credential'
      const observed = [before, valid, after]
      if (/^(expired|revoked)$/i.test(String(before))) {
        const details = { expected: 'such as issued', actual: before, verdictSource }
        return broken('A valid credential is shown as expired or revoked.', details)
      }
      if (before === undefined || valid !== before) {
        return inconclusive(`The status of the valid credential changed: ${observed.join(', ')}.`)
      }
      if (withdrawn !== shown) {
        const details = { expected: shown, actual: withdrawn, verdictSource }
        return broken('The revoked credential has another status after its end.', details)
      }
      return after === before || typeof after !== 'string' || after === ''
        ? broken('The expired credential has the same status as before, or none.', {
            expected: 'another status',
            actual: observed,
            verdictSource,
          })
        : held(`It was ${before}, then ${after}.`, { verdictSource })
    },
  },
})
