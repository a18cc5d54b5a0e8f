import { verifyPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { parseVpToken, verifyVpToken } from '#core/oid4vp/vp-token.ts'
import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import type { WalletContext } from '../context.ts'
import { membersIn } from '../counterparts/read-proof.ts'
import { findStopped, firstNotHeld, takeCredential } from '../findings/issuance-findings.ts'
import { findBrokenRules, findProblems, findSecretKeys } from '../findings/message-findings.ts'
import { takePresentation } from '../findings/presentation-findings.ts'

/** What a wallet sends to a verifier, and what it does about the answer. */
export const checks = defineChecks<WalletContext>({
  'W29-presentation-token': {
    title: 'The presentation is as documented',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/presentation-token.1',
      '1.resources-and-their-fields/presentation-token.2',
      '1.resources-and-their-fields/presentation-authorization-request.4',
      '1.resources-and-their-fields/presentation-authorization-request.5',
    ],
    description:
      'Verifiers refuse a presentation for another audience, without the nonce, or whose holder did not sign.',
    sends: 'A signed request at request_uri of a verifier that is as good as can be.',
    decides:
      'vp_token keeps every rule: typ, alg, kid, iss, aud, nonce, iat, exp, vp.@context, vp.type, one credential, signature.',
    async run(context) {
      const { session, post } = await takePresentation(context)
      const verdictSource = 'post to response_uri'
      const jws = parseVpToken(post.vpToken)
      if (!jws) return broken('vp_token is no JWT.', { verdictSource, actual: post.vpToken })
      const now = context.now()
      const audience = session.party.did
      const { failures } = verifyVpToken({ jws, audience, nonce: session.nonce, now })
      // The profile limits neither its lifetime (W31) nor the number of credentials in it (W45).
      const isOnlyLong = typeof jws.payload.exp === 'number' && jws.payload.exp > now
      const isOnlyMany = post.credentials.length > 1
      const isLimit = (rule: string) =>
        (rule === 'presentation.expiry' && isOnlyLong) ||
        (rule === 'presentation.credentials' && isOnlyMany)
      return findBrokenRules(
        'The presentation',
        failures.filter(({ rule }) => !isLimit(rule)),
        verdictSource,
      )
    },
  },
  'W30-presentation-submission': {
    title: 'presentation_submission maps the query to the credential',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/presentation-submission.1',
      '1.resources-and-their-fields/presentation-authorization-request.7',
    ],
    description:
      'By it the verifier finds the credential in the presentation. Its paths and formats are given word for word.',
    sends: 'A signed request at request_uri of a verifier that is as good as can be.',
    decides:
      'definition_id is dcql_query, and the one descriptor is {id: the query, jwt_vp, $, path_nested {id, jwt_vc, $.vp.verifiableCredential[0]}}.',
    async run(context) {
      const { session, post } = await takePresentation(context)
      const presentationSubmission = post.form.get('presentation_submission') ?? undefined
      const { queryId } = session
      const { failures } = verifyPresentationSubmission({ presentationSubmission, queryId })
      return findBrokenRules('presentation_submission', failures, 'post to response_uri')
    },
  },
  'W31-presentation-lifetime': {
    title: 'A presentation is valid for ten minutes at most',
    level: 'practice',
    expectation: 'advice',
    description:
      'A presentation that somebody got hold of can be tried for as long as it is valid; one login takes seconds.',
    sends: 'A signed request at request_uri of a verifier that is as good as can be.',
    decides: 'exp is at most 600 seconds after iat.',
    async run(context) {
      const { post } = await takePresentation(context)
      const { exp, iat } = post.payload
      const verdictSource = 'post to response_uri'
      if (typeof exp !== 'number' || typeof iat !== 'number') {
        return inconclusive('The presentation lacks exp or iat.', { verdictSource })
      }
      const told = `The presentation is valid for ${exp - iat} seconds.`
      return exp - iat <= 600 ? held(told, { verdictSource }) : broken(told, { verdictSource })
    },
  },
  'W45-two-credentials-match': {
    title: 'Of two credentials that match one is presented',
    level: 'final',
    expectation: 'accept',
    clauses: ['OpenID4VP 1.0, 6.1', 'OpenID4VP 1.0, 8.1'],
    description:
      'A query without multiple asks for one credential. A wallet that sends all discloses mandates that nobody asked for; one that sends none locks its holder out.',
    sends: 'Two good credentials of one type, then a signed request at request_uri for that type.',
    decides: 'The presentation holds one credential.',
    async run(context) {
      await context.holdCredential()
      await takeCredential(context)
      const { post } = await takePresentation(context)
      const { length } = post.credentials
      const verdictSource = 'post to response_uri'
      return length === 1
        ? held('The wallet presented one of the credentials.', { verdictSource })
        : broken(`The presentation holds ${length} credentials, where one was asked for.`, {
            verdictSource,
            expected: 1,
            actual: length,
          })
    },
  },
  'W47-redirect-uri-followed': {
    title: 'The redirect_uri of the answer leads the holder on',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2'],
    description:
      'With it the login goes on in the browser. A wallet that drops it leaves the holder in front of nothing.',
    sends: 'A verifier that answers the post with {redirect_uri}.',
    decides: 'The wallet opens redirect_uri, or tells it in its answer.',
    async run(context) {
      const { session, answer } = await takePresentation(context)
      const verdictSource = answer.source
      if (session.requestsTo('continue').length > 0) {
        return held('The wallet opened redirect_uri.', {
          verdictSource: 'requests to redirect_uri',
        })
      }
      const { reason, text } = answer
      if (`${reason} ${text}`.includes(session.redirectUri)) {
        return held('The wallet told where the holder goes on.', { verdictSource })
      }
      return text.trim() === ''
        ? inconclusive('The wallet did not open redirect_uri, and its answer says nothing.')
        : broken('The wallet neither opened nor told redirect_uri.', {
            verdictSource,
            expected: session.redirectUri,
            actual: text.slice(0, 300),
          })
    },
  },
  'W48-empty-answer': {
    title: 'An empty answer to the presentation is a good one',
    level: 'spec',
    expectation: 'accept',
    control: 'requests',
    rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2'],
    description:
      'The body may be empty; a wallet that wants JSON there tells its holder of an error after a login that worked.',
    sends: 'A verifier that answers the post with 200 and no body.',
    decides: 'The wallet says that it presented.',
    async run(context) {
      const { answer } = await takePresentation(context, { behaviour: { redirects: false } })
      return held('The wallet took the empty answer for what it is.', {
        verdictSource: answer.source,
      })
    },
  },
  'W49-verifier-error': {
    title: 'That the verifier failed is reported, and not tried for ever',
    level: 'practice',
    expectation: 'advice',
    description:
      'A wallet that says nothing leaves the holder waiting; one that tries without end floods a verifier that is down.',
    sends: 'A verifier that answers every post with 500.',
    decides: 'The verb ends by itself after at most five posts, and does not say that it was done.',
    async run(context) {
      await context.holdCredential()
      const session = context.openVerifier({ answers: { response: () => ({ status: 500 }) } })
      const answer = await context.wallet.present({
        link: session.requestByReference(session.party.did),
      })
      const posts = session.posts.length
      const { reason, source: verdictSource } = answer
      if (posts === 0)
        return inconclusive(`The wallet posted nothing: ${reason}`, { verdictSource })
      if (posts > 5)
        return broken(`The wallet posted ${posts} times.`, { expected: 5, actual: posts })
      return findStopped(answer, `after ${posts} posts that were answered 500`)
    },
  },
  'W50-state-echoed': {
    title: 'state comes back with the presentation',
    level: 'final',
    expectation: 'accept',
    clauses: ['RFC 6749, 4.1.2', 'OpenID4VP 1.0, 8.2'],
    description: 'By state the verifier finds the session that the answer belongs to.',
    sends: 'A signed request at request_uri with state.',
    decides: 'The form that is posted carries the same state.',
    async run(context) {
      const { session, post } = await takePresentation(context)
      const state = post.form.get('state')
      const verdictSource = 'post to response_uri'
      return state === session.state
        ? held('The wallet echoed state.', { verdictSource })
        : broken('The post does not carry the state of the request.', {
            verdictSource,
            expected: session.state,
            actual: state,
          })
    },
  },
  'W51-both-curves': {
    title: 'Accounts of both curves present in their suite',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/supported-curves.1',
      '1.resources-and-their-fields/supported-curves.2',
      '1.resources-and-their-fields/supported-curves.3',
      '1.resources-and-their-fields/presentation-token.1',
    ],
    description:
      'The wallet uses the curve that was chosen with the account: secp256k1 signs ES256K, Ed25519 signs EdDSA.',
    sends:
      'The wallet is emptied with a new account of each curve, takes a credential and presents it.',
    decides:
      'alg is ES256K and EdDSA, a did:key begins with zQ3s and z6Mk, and the signatures verify.',
    needs: ['curves'],
    async run(context) {
      const findings: Finding[] = []
      try {
        for (const [curve, { alg, prefix }] of curves) {
          context.noteChanged()
          const { outcome, reason } = await context.wallet.reset({ curve })
          if (outcome !== 'done') return inconclusive(`There is no account on ${curve}: ${reason}`)
          const { session, post } = await takePresentation(context)
          const verdictSource = 'post to response_uri'
          const kid = String(post.header.kid)
          const jws = parseVpToken(post.vpToken)
          const audience = session.party.did
          const checked =
            jws && verifyVpToken({ jws, audience, nonce: session.nonce, now: context.now() })
          const isSigned = checked?.failures.every(({ rule }) => rule !== 'presentation.signature')
          const isOfCurve = !kid.startsWith('did:key:') || kid.startsWith(`did:key:${prefix}`)
          findings.push(
            post.header.alg === alg && isOfCurve && isSigned
              ? held(`The account on ${curve} signs ${alg}.`, { verdictSource })
              : broken(`The account on ${curve} does not sign ${alg} with a key of that curve.`, {
                  verdictSource,
                  expected: { alg, did: `did:key:${prefix}…, or a did:jwk` },
                  actual: { alg: post.header.alg, kid },
                }),
          )
        }
      } finally {
        context.noteChanged()
      }
      return firstNotHeld(findings)
    },
  },
  'W52-no-private-keys': {
    title: 'No private key leaves the wallet',
    level: 'practice',
    expectation: 'refuse',
    description:
      'A JWK with d in a header gives the holder away to everybody who sees the message.',
    sends: 'An offer and a request, both as good as can be.',
    decides: 'No JSON in what the wallet sent holds a JWK with d or k.',
    async run(context) {
      const { session: issuer } = await asPremise('taking a good offer', takeCredential(context))
      const { session: verifier } = await takePresentation(context)
      const bodies = [...issuer.requests, ...verifier.requests].map(({ body }) => body)
      const found = findSecretKeys(bodies)
      const verdictSource = 'all requests of the wallet'
      return found.length === 0
        ? held('Nothing that the wallet sent holds a private key.', { verdictSource })
        : broken(`The wallet sent a private key: ${found.join(', ')}.`, { verdictSource })
    },
  },
  'W53-only-what-is-asked-for': {
    title: 'Only the credential that was asked for is presented',
    level: 'practice',
    expectation: 'advice',
    control: 'requests',
    description:
      "The holder agreed to show one mandate. Whatever else is in the wallet is nobody's business.",
    sends:
      'Two credentials, of which one has a claim of its own, the other being the latest; then a request for that claim.',
    decides: 'The presentation holds that one credential and no other.',
    async run(context) {
      await context.holdCredential()
      const { world } = context.trust
      const mandatee = { ...mandate.mandatee, badge: 'B-7' }
      const { credential } = await takeCredential(context, {
        behaviour: {
          credential: (order) =>
            issueCredential(world, { ...order, mandate: { ...mandate, mandatee } }),
        },
      })
      await takeCredential(context)
      const { post } = await takePresentation(context, {
        behaviour: {
          query: { claims: [{ path: ['$.vc.credentialSubject.mandate.mandatee.badge'] }] },
        },
      })
      const verdictSource = 'post to response_uri'
      const others = post.credentials.filter((each) => each !== credential)
      if (others.length > 0) {
        return broken('The wallet presented a credential that was not asked for.', {
          verdictSource,
        })
      }
      return post.credentials.length > 0
        ? held('The wallet presented just the credential that was asked for.', { verdictSource })
        : inconclusive('The presentation holds no credential.', { verdictSource })
    },
  },
  'W89-presentation-post': {
    title: 'The presentation is posted as documented',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1'],
    description: 'A form with two fields; verifiers read no JSON there.',
    sends: 'A signed request at request_uri of a verifier that is as good as can be.',
    decides:
      'A POST of application/x-www-form-urlencoded with vp_token and presentation_submission, a JSON object.',
    async run(context) {
      const { session, post } = await takePresentation(context)
      const [request] = session.requestsTo('response')
      const { form, contentType } = post
      return findProblems(
        'The post',
        [
          [request?.method === 'POST', 'it is no POST'],
          [/^application\/x-www-form-urlencoded\b/i.test(contentType), 'it is no form'],
          [form.getAll('vp_token').length === 1, 'vp_token is not there once'],
          [
            membersIn(form.get('presentation_submission') ?? '') !== undefined,
            'presentation_submission is no JSON object',
          ],
        ],
        'post to response_uri',
      )
    },
  },
})

const curves = [
  ['secp256k1', { alg: 'ES256K', prefix: 'zQ3s' }],
  ['Ed25519', { alg: 'EdDSA', prefix: 'z6Mk' }],
] as const
