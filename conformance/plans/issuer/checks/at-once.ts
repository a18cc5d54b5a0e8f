import { parseTokenResponse } from '#core/oid4vci/token.ts'
import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import {
  broken,
  defineChecks,
  endCheck,
  type Finding,
  type FindingDetails,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { classifyStatus, errorOf, outageOf } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import { credentialIn } from '../credentials.ts'
import { obtainOwnCredential, signIn } from '../portal-steps.ts'
import {
  askForCredential,
  askForToken,
  kindsOf,
  readOffer,
  redeem,
  redeemCode,
  sendPin,
  wrongPin,
} from '../redeeming.ts'
import { findAcceptance, findWalletRefusal } from '../refusals.ts'

const attempts = 10
const wallets = 4

/** Starts the same request several times, so that all of them are under way together. */
const sendAtOnce = (send: (index: number) => Promise<HttpAnswer>): Promise<HttpAnswer[]> =>
  Promise.all(Array.from({ length: attempts }, (_, index) => send(index)))

/** Exactly one of the requests must be accepted, and the others rejected. */
function findOneAccepted(answers: readonly HttpAnswer[], where: string): Finding {
  const statuses = answers.map(({ status }) => status)
  const kinds = statuses.map(classifyStatus)
  const verdictSource = `HTTP statuses of ${where}`
  const observed = `The responses were ${statuses.join(', ')}.`
  const details: FindingDetails = { expected: 'one 200', actual: statuses, verdictSource }
  const accepted = kinds.filter((kind) => kind === 'accepted').length
  if (accepted > 1) return broken(observed, details)
  const isDecided = kinds.every((kind) => kind === 'accepted' || kind === 'refused')
  return accepted === 1 && isDecided
    ? held(observed, { verdictSource })
    : inconclusive(observed, { verdictSource, ...outageOf(Math.max(...statuses)) })
}

export const checks = defineChecks<IssuerContext>({
  'I91-code-at-once': {
    title: 'Only one of several simultaneous token requests gets a token',
    level: 'final',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description:
      'If the check and the update of the code are separate steps, two requests can both succeed.',
    sends: `The same token request ${attempts} times simultaneously; if the target supports it, also for an offer with a PIN, with the correct PIN.`,
    decides: 'One returns 200, the others 4xx.',
    fix: 'Check and mark pre-authorized_code in one atomic step, such as an UPDATE with a condition. Reject all requests but one with 400 invalid_grant.',
    async run(context) {
      return findEach(kindsOf(context, ['plain', 'pin']), async (kind) => {
        const offer = await readOffer(context, { kind })
        const answers = await sendAtOnce(() => redeemCode(context, offer))
        return findOneAccepted(answers, `the token endpoint (${kind})`)
      })
    },
  },
  'I114-proof-at-once': {
    title: 'Only one of several simultaneous requests with one proof gets a credential',
    level: 'practice',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
    clauses: ['OpenID4VCI 1.0, 13.8'],
    description:
      'If the check and the use of the c_nonce are separate steps, an attacker who repeats a request quickly gets the credential as well.',
    sends: `The same credential request ${attempts} times simultaneously, with the same proof; if the target supports it, also for a deferred credential.`,
    decides:
      'One is accepted, and the others return 4xx with an error code. If the issuer also accepts a proof again later, the check is inconclusive: see I39.',
    fix: 'Check and mark the c_nonce in one atomic step, such as an UPDATE with a condition. Reject all requests but one with 400 invalid_nonce.',
    async run(context) {
      const kinds = context.can('deferred') ? ([undefined, 'deferred'] as const) : [undefined]
      return findEach(kinds, async (kind) => {
        const session = await redeem(context, { kind })
        if (session.token.cNonce === undefined) {
          return inconclusive(
            'The token response has no c_nonce, so no proof is required: see I10.',
          )
        }
        const json = createRequestBody(session.wallet, session)
        const ask = () => askForCredential(context, session, { json })
        const answers = await sendAtOnce(ask)
        const finding = findOneAccepted(answers, 'the credential endpoint')
        if (finding.kind === 'held') {
          const refused = answers.filter(({ status }) => classifyStatus(status) === 'refused')
          if (refused.every((answer) => errorOf(answer))) return finding
          const details = { expected: 'error', verdictSource: 'the rejections' }
          return broken('A rejection has no error code.', details)
        }
        if (finding.kind !== 'broken') return finding
        const later = await ask()
        return classifyStatus(later.status) === 'accepted'
          ? inconclusive('The issuer accepts a proof more than once at any time: see I39.')
          : finding
      })
    },
  },
  'I115-pins-at-once': {
    title: 'Wrong PINs that are sent simultaneously end the offer as well',
    level: 'practice',
    expectation: 'advice',
    control: 'pin-offer',
    clauses: ['RFC 6749, 10.10'],
    description:
      'If an attempt is counted after the comparison, simultaneous requests are all compared before the first one counts.',
    sends: `${attempts} token requests with wrong PINs for one offer simultaneously, then the correct PIN.`,
    decides:
      'None of them gets a token, and the correct PIN is rejected as well: the code has ended.',
    fix: 'Count an attempt in one atomic step before you compare the PIN. After a few, such as five, return 400 invalid_grant for the correct PIN too.',
    needs: ['pin'],
    async run(context) {
      const offer = await readOffer(context, { kind: 'pin' })
      const { pin = '' } = offer.made
      const answers = await sendAtOnce((index) =>
        sendPin(context, offer, wrongPin(pin, (index % 9) + 1)),
      )
      const kinds = answers.map(({ status }) => classifyStatus(status))
      if (kinds.includes('accepted')) return inconclusive('A wrong PIN was accepted: see I17.')
      if (!kinds.includes('refused')) return inconclusive('No wrong PIN was rejected.')
      return findWalletRefusal(await sendPin(context, offer, pin), {
        what: `The correct PIN after ${attempts} simultaneous wrong ones`,
      })
    },
  },
  'I116-revocations-at-once': {
    title: 'Only one of several simultaneous revocations of a credential succeeds',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.errors.6', '1.states-and-transitions.4'],
    description: 'Two operators must not both believe that their request revoked the credential.',
    sends: `POST /issuance/credential/revoke ${attempts} times simultaneously with the same credential_id.`,
    decides: 'One returns 200, the others 400.',
    fix: 'Check and set the status of the record in one atomic step, such as an UPDATE with a condition. Reject all requests but one with 400.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const json = { credential_id: await obtainOwnCredential(context, signedIn) }
      const { portal, headers } = signedIn
      const answers = await sendAtOnce(() => portal.post('credential/revoke', json, headers))
      return findOneAccepted(answers, '/issuance/credential/revoke')
    },
  },
  'I164-wallets-at-once': {
    title: 'Wallets that request credentials at the same time each get their own',
    level: 'spec',
    expectation: 'accept',
    control: 'offer',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11'],
    clauses: ['OpenID4VCI 1.0, 8.1'],
    description:
      'An issuer that keeps the holder or the credential in a variable of all sessions gives a holder the credential of another.',
    sends: `${wallets} wallets accept an offer each, at the same time.`,
    decides:
      'Each gets a credential about its own DID, and no two have the same id. If two have the same statusListIndex in one list, or one is rejected, while a single wallet gets its credential, that is a WARN.',
    fix: 'Keep everything about a session in the handling of its request, and find it only by code, access token or acceptance_token. Reserve the index in the status list in one atomic step.',
    async run(context) {
      const offers: Awaited<ReturnType<typeof readOffer>>[] = []
      for (let count = 0; count < wallets; count++) offers.push(await readOffer(context))
      const obtained = await Promise.all(
        offers.map(async ({ wallet, resolved }) => {
          const answer = await askForToken(context, resolved)
          const token = parseTokenResponse(answer.json)
          return {
            did: wallet.account.did,
            answer: token.ok
              ? await askForCredential(context, { wallet, resolved, ...token })
              : answer,
          }
        }),
      )
      const verdictSource = 'the credentials of simultaneous requests'
      const ids = new Set<unknown>()
      const entries: string[] = []
      for (const { did: expected, answer } of obtained) {
        const accepted = findAcceptance(answer, 'One of several simultaneous requests', {
          level: 'practice',
        })
        if (accepted.kind !== 'held') return accepted
        const {
          id,
          subject: actual,
          entries: own,
        } = credentialIn(answer) ?? endCheck(inconclusive('There is no credential: see I21.'))
        if (actual !== expected) {
          const details = { expected, actual, verdictSource }
          return broken('A wallet got the credential of another one.', details)
        }
        ids.add(id)
        entries.push(...own)
      }
      if (ids.size < wallets) {
        return broken('Two wallets got the same credential.', { verdictSource })
      }
      return new Set(entries).size === entries.length
        ? held('Each wallet got its own credential.', { verdictSource })
        : broken('Two credentials have the same entry of the status list.', {
            actual: entries,
            verdictSource,
            level: 'practice',
          })
    },
  },
})
