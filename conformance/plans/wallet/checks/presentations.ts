import { resolveHolderKey } from '#core/crypto/holder-did.ts'
import { parseJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import { verifyPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { parseVpToken, verifyVpToken } from '#core/oid4vp/vp-token.ts'
import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { findEach, worstOf } from '../../../kit/find-each.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import type { WalletContext } from '../context.ts'
import { membersIn, type ReceivedProof } from '../counterparts/read-proof.ts'
import { unusualState } from '../counterparts/unusual-values.ts'
import {
  casesFor,
  findStopped,
  listsCredential,
  takeCredential,
} from '../findings/issuance-findings.ts'
import {
  findBrokenRules,
  findPrivateKeyOf,
  findProblems,
  findSecretKeys,
} from '../findings/message-findings.ts'
import { takePresentation } from '../findings/presentation-findings.ts'

/** What a wallet sends to a verifier, and how it handles the answer. */
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
      'Verifiers reject a presentation that is for another audience, lacks the nonce or is not signed by the holder.',
    sends: 'A signed request at the request_uri of a fully conformant verifier.',
    decides:
      'vp_token must pass every rule: typ, alg, kid, iss, aud, nonce, iat, exp, vp.@context, vp.type, one credential, signature. iss must be the subject of the credential.',
    fix: 'Sign vp_token with typ JWT and kid <DID>#<key>. Set iss to your DID, aud to client_id, nonce as in the request, iat and exp. Put https://www.w3.org/2018/credentials/v1 first in vp.@context, VerifiablePresentation into vp.type, and the credential into vp.verifiableCredential.',
    async run(context) {
      const { session, post } = await takePresentation(context)
      const verdictSource = 'post to response_uri'
      const jws = parseVpToken(post.vpToken)
      if (post.vpToken === '') {
        const type = post.contentType || 'no Content-Type'
        return broken(`The post has no field vp_token (${type}): see W89.`, { verdictSource })
      }
      if (!jws) return broken('vp_token is not a JWT.', { verdictSource, actual: post.vpToken })
      const now = context.now()
      const audience = session.party.did
      const { failures } = verifyVpToken({ jws, audience, nonce: session.nonce, now })
      // The profile limits neither its lifetime (W31) nor the number of credentials in it (W45).
      const isOnlyLong = typeof jws.payload.exp === 'number' && jws.payload.exp > now
      const isOnlyMany = post.credentials.length > 1
      const isLimit = (rule: string) =>
        (rule === 'presentation.expiry' && isOnlyLong) ||
        (rule === 'presentation.credentials' && isOnlyMany)
      const finding = findBrokenRules(
        'The presentation',
        failures.filter(({ rule }) => !isLimit(rule)),
        verdictSource,
      )
      const { iss } = jws.payload
      const other = post.credentials.map(subjectOf).find((subject) => subject !== iss)
      return finding.kind !== 'held' || other === undefined
        ? finding
        : broken('The DID that signed the presentation is not the subject of its credential.', {
            verdictSource,
            expected: other,
            actual: iss,
          })
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
      'The verifier uses it to find the credential in the presentation. The profile defines its paths and formats.',
    sends: 'A signed request at the request_uri of a fully conformant verifier.',
    decides:
      'definition_id must be dcql_query. The only descriptor must be {id: the query, jwt_vp, $, path_nested {id, jwt_vc, $.vp.verifiableCredential[0]}}.',
    fix: 'Send an id, definition_id dcql_query, and one descriptor: id of the query, format jwt_vp, path $, and path_nested with the same id, format jwt_vc and path $.vp.verifiableCredential[0].',
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
    description: 'A stolen presentation can be used until it expires. One login takes seconds.',
    sends: 'A signed request at the request_uri of a fully conformant verifier.',
    decides: 'exp must be at most 600 seconds after iat.',
    fix: 'Set exp of the presentation to at most 600 seconds after iat.',
    async run(context) {
      const { post } = await takePresentation(context)
      const { exp, iat } = post.payload
      const verdictSource = 'post to response_uri'
      if (typeof exp !== 'number' || typeof iat !== 'number') {
        return inconclusive('The presentation lacks exp or iat.', { verdictSource })
      }
      const lifetime = `The presentation is valid for ${exp - iat} seconds.`
      return exp - iat <= 600
        ? held(lifetime, { verdictSource })
        : broken(lifetime, { verdictSource })
    },
  },
  'W45-two-credentials-match': {
    title: 'The wallet presents one of two matching credentials',
    level: 'final',
    expectation: 'accept',
    clauses: ['OpenID4VP 1.0, 6.1', 'OpenID4VP 1.0, 8.1'],
    description:
      'A query without multiple asks for one credential. A wallet that sends all discloses mandates that the verifier did not request. A wallet that sends none locks out its holder.',
    sends: 'Two valid credentials of one type, then a signed request at request_uri for that type.',
    decides: 'The presentation must contain one credential.',
    fix: 'If several credentials match, let the holder choose one, and put only that one into vp.verifiableCredential.',
    async run(context) {
      await context.holdCredential()
      await takeCredential(context)
      const { post } = await takePresentation(context)
      const { length } = post.credentials
      const verdictSource = 'post to response_uri'
      return length === 1
        ? held('The wallet presented one of the credentials.', { verdictSource })
        : broken(
            `The presentation contains ${length} credentials, but the request asked for one.`,
            {
              verdictSource,
              expected: 1,
              actual: length,
            },
          )
    },
  },
  'W47-redirect-uri-followed': {
    title: 'The wallet follows the redirect_uri of the response',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2'],
    description:
      'redirect_uri continues the login in the browser. A wallet that drops it leaves the holder stranded.',
    sends:
      'A verifier that answers the post with {redirect_uri} and the content type application/json; charset=utf-8. The query of redirect_uri contains %2B, which is a plus sign only while it is encoded, and %20. A fragment follows.',
    decides:
      'The wallet must open redirect_uri or show it in its output, unchanged. A browser does not send the fragment.',
    fix: 'Read redirect_uri from the JSON response of response_uri, and open it in the browser or show it to the holder, exactly as received. Ignore parameters of its content type.',
    async run(context) {
      const contentType = 'application/json; charset=utf-8'
      const { session, answer } = await takePresentation(context, {
        behaviour: { answers: { response: (usual) => ({ ...usual, contentType }) } },
      })
      const verdictSource = answer.source
      const [opened] = session.requestsTo('continue')
      if (opened) {
        const [expected, actual] = [session.redirectUri, opened.search].map(responseCodeOf)
        const verdictSource = 'requests to redirect_uri'
        return expected === actual
          ? held('The wallet opened redirect_uri.', { verdictSource })
          : broken('The wallet changed the query of redirect_uri.', {
              verdictSource,
              expected,
              actual,
            })
      }
      const { reason, text } = answer
      const shown = addressIn(`${reason} ${text}`, session.redirectUri)
      if (shown === session.redirectUri) {
        return held('The wallet reported redirect_uri.', { verdictSource })
      }
      if (shown !== undefined) {
        return broken('The wallet appended something to redirect_uri.', {
          verdictSource,
          expected: session.redirectUri,
          actual: shown,
        })
      }
      return text.trim() === ''
        ? inconclusive('The wallet did not open redirect_uri, and its output is empty.')
        : broken('The wallet neither opened nor reported redirect_uri.', {
            verdictSource,
            expected: session.redirectUri,
            actual: text.slice(0, 300),
          })
    },
  },
  'W48-empty-answer': {
    title: 'The wallet accepts an empty response to the presentation',
    level: 'spec',
    expectation: 'accept',
    control: 'requests',
    rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2'],
    description:
      'The body may be empty. A wallet that requires JSON reports an error to its holder after a successful login.',
    sends: 'A verifier that answers the post with 200 and no body.',
    decides: 'The wallet must report that it presented.',
    fix: 'Treat a 200 of response_uri as success, even without a body. Parse the body only if there is one.',
    async run(context) {
      const { answer } = await takePresentation(context, { behaviour: { redirects: false } })
      return held('The wallet accepted the empty response.', {
        verdictSource: answer.source,
      })
    },
  },
  'W49-verifier-error': {
    title: 'The wallet reports an error of the verifier and stops',
    level: 'practice',
    expectation: 'advice',
    clauses: ['OpenID4VP 1.0, 8.2'],
    description:
      'Without a report, the holder keeps waiting. A wallet that retries without end floods a verifier that is down.',
    sends: 'Verifiers that answer every post with 500, 400, 403 and 404, and a redirect_uri.',
    decides: 'The verb must end on its own after at most five posts, and must not report success.',
    fix: 'Treat a 4xx or 5xx of response_uri as a failure: show an error, and repeat the post at most four times.',
    async run(context) {
      await context.holdCredential()
      return findEach([500, 400, 403, 404], async (status) => {
        // Only 200 says that the verifier has processed the presentation.
        const body = '{"redirect_uri":"https://verifier.example/done"}'
        const session = context.openVerifier({ answers: { response: () => ({ status, body }) } })
        const answer = await context.wallet.present({
          link: session.requestByReference(session.party.did),
        })
        const posts = session.posts.length
        const { reason, source: verdictSource } = answer
        if (posts === 0)
          return inconclusive(`The wallet did not post: ${reason}`, { verdictSource })
        if (posts > 5)
          return broken(`The wallet posted ${posts} times.`, { expected: 5, actual: posts })
        return findStopped(
          answer,
          `after ${posts} ${posts === 1 ? 'post' : 'posts'}, answered with ${status}`,
        )
      })
    },
  },
  'W50-state-echoed': {
    title: 'The wallet returns state with the presentation',
    level: 'final',
    expectation: 'accept',
    clauses: ['RFC 6749, 4.1.2', 'OpenID4VP 1.0, 8.2'],
    description: 'The verifier uses state to find the session of the response.',
    sends:
      'Signed requests at request_uri, with a state of letters and digits, and with one of special characters.',
    decides: 'The posted form must contain the same state.',
    fix: 'Copy state from the request unchanged into the field state of the posted form.',
    run: (context) =>
      findEach(casesFor(context, [undefined, unusualState]), async (state) => {
        const behaviour = state === undefined ? {} : { parameters: { state } }
        const { session, post } = await takePresentation(context, { behaviour })
        const expected = state ?? session.state
        const actual = post.form.get('state')
        const verdictSource = 'post to response_uri'
        return actual === expected
          ? held('The wallet returned state.', { verdictSource })
          : broken('The post does not contain the state of the request.', {
              verdictSource,
              expected,
              actual,
            })
      }),
  },
  'W51-both-curves': {
    title: 'Accounts of both curves sign with the suite of their curve',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/supported-curves.1',
      '1.resources-and-their-fields/supported-curves.2',
      '1.resources-and-their-fields/supported-curves.3',
      '1.resources-and-their-fields/proof-of-possession-jwt.1',
      '1.resources-and-their-fields/presentation-token.1',
    ],
    description:
      'The wallet uses the curve chosen with the account: secp256k1 signs ES256K, Ed25519 signs EdDSA.',
    sends:
      'For each curve, the kit resets the wallet with a new account, issues a credential and requests it. Then an issuer that accepts only the other DID method (did:jwk instead of did:key, or the reverse) offers a credential.',
    decides:
      'alg of proof and presentation must be ES256K and EdDSA, a did:key must begin with zQ3s and z6Mk, and the signatures must be valid. A proof with a DID method that the issuer does not accept is a WARN.',
    fix: 'Choose alg and DID by the curve of the account: ES256K and did:key:zQ3s… for secp256k1, EdDSA and did:key:z6Mk… for Ed25519. Sign with the key in kid. Send a proof only if cryptographic_binding_methods_supported lists the method of your DID.',
    needs: ['curves'],
    async run(context) {
      const findings: Finding[] = []
      const methods: Finding[] = []
      if (!context.proven.has('offers')) {
        await asPremise('accepting a valid offer', takeCredential(context))
      }
      try {
        for (const [curve, { alg, prefix }] of curves) {
          context.noteChanged()
          const { outcome, reason } = await context.wallet.reset({ curve })
          if (outcome !== 'done') {
            // It accepts offers, and its target says that it supports this curve.
            const isOutage = outcome === 'failed' && context.wallet.by !== 'a person'
            const missing = `The wallet has no account on ${curve}: ${reason}`
            return inconclusive(missing, isOutage ? { isOutage, actual: outcome } : {})
          }
          // Not a premise: an account that cannot receive a credential does not support the curve.
          const { session: issuer } = await takeCredential(context)
          findings.push(findProofOfCurve(curve, issuer.proofs.at(-1)))
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
          methods.push(await findMethodAccepted(context, kid))
        }
      } finally {
        context.noteChanged()
      }
      return worstOf([...findings, ...methods])
    },
  },
  'W52-no-private-keys': {
    title: 'No private key leaves the wallet',
    level: 'practice',
    expectation: 'refuse',
    description: 'Anyone who sees the private key, in any encoding, can impersonate the holder.',
    sends: 'A valid offer and a valid request.',
    decides:
      'No request of the wallet may contain a JWK with d or k, or the private key as hex, base64, base64url, decimal, PEM or list of bytes, in its URL, headers or body.',
    fix: 'Send only the public members of a JWK, such as kty, crv, x and y. Remove d and k, and every other form of the private key, from URLs, headers, bodies and did:jwk identifiers.',
    async run(context) {
      const { session: issuer } = await asPremise(
        'accepting a valid offer',
        takeCredential(context),
      )
      const { session: verifier } = await takePresentation(context)
      const texts = [...issuer.requests, ...verifier.requests].flatMap(
        ({ path, query, headers, body }) => [body, path, `${query}`, JSON.stringify(headers)],
      )
      const [proof] = issuer.proofs
      const holderKey = resolveHolderKey(String(proof?.header.kid))
      const found = [
        ...findSecretKeys(texts),
        ...(holderKey ? findPrivateKeyOf(holderKey.publicKey, texts) : []),
      ]
      const verdictSource = 'all requests of the wallet'
      return found.length === 0
        ? held('The messages of the wallet contain no private key.', { verdictSource })
        : broken(`The wallet sent a private key: ${found.join(', ')}.`, { verdictSource })
    },
  },
  'W53-only-what-is-asked-for': {
    title: 'The wallet presents only the requested credential',
    level: 'practice',
    expectation: 'advice',
    control: 'requests',
    description: 'The holder agreed to show one mandate. The wallet must not disclose others.',
    sends: 'Two credentials, the older one with an extra claim, then a request for that claim.',
    decides:
      'The presentation must contain that credential and no other, and iss must be its subject. A list of the wallet must contain both credentials.',
    fix: 'Select a credential that has every claim in claims of the query, and put only that one into vp.verifiableCredential.',
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
      const { credential: newer } = await takeCredential(context)
      const listed = context.wallet.can.list ? await context.wallet.list() : undefined
      const isListed = (each: string) => listsCredential(listed?.credentials ?? [], each)
      if (listed && isListed(newer) && !isListed(credential)) {
        return broken('The wallet no longer lists the older of two credentials of one type.', {
          verdictSource: listed.source,
          fix: 'Store each credential under its own id, such as jti. A wallet may hold several credentials of one type, of one issuer and of one organization.',
        })
      }
      const { post } = await takePresentation(context, {
        behaviour: {
          query: { claims: [{ path: ['$.vc.credentialSubject.mandate.mandatee.badge'] }] },
        },
      })
      const verdictSource = 'post to response_uri'
      const others = post.credentials.filter((each) => each !== credential)
      if (others.length > 0) {
        return broken('The wallet presented a credential that the verifier did not request.', {
          verdictSource,
        })
      }
      if (post.credentials.length === 0) {
        return inconclusive('The presentation contains no credential.', { verdictSource })
      }
      const subject = subjectOf(credential)
      return post.payload.iss === subject
        ? held('The wallet presented only the requested credential.', { verdictSource })
        : broken('The wallet signed the presentation with a key of another credential.', {
            verdictSource,
            expected: subject,
            actual: post.payload.iss,
            fix: 'If a wallet has several keys, keep with each credential the key of its proof. Sign the presentation with that key, and put its DID into iss and kid.',
          })
    },
  },
  'W89-presentation-post': {
    title: 'The presentation is posted as documented',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1'],
    description: 'A form with two fields. Verifiers do not accept JSON here.',
    sends: 'A signed request at the request_uri of a fully conformant verifier.',
    decides:
      'The request must be a POST of application/x-www-form-urlencoded with vp_token and presentation_submission, a JSON object, URL-encoded.',
    fix: 'POST application/x-www-form-urlencoded to response_uri, with the fields vp_token, exactly once, and presentation_submission, as a JSON object. Encode both values: { as %7B, the quotation mark as %22.',
    async run(context) {
      const { session, post } = await takePresentation(context)
      const [request] = session.requestsTo('response')
      const { form, contentType } = post
      return findProblems(
        'The post',
        [
          [request?.method === 'POST', 'its method is not POST'],
          [/^application\/x-www-form-urlencoded\b/i.test(contentType), 'it is not a form'],
          [form.getAll('vp_token').length === 1, 'vp_token must occur exactly once'],
          [
            membersIn(form.get('presentation_submission') ?? '') !== undefined,
            'presentation_submission is not a JSON object',
          ],
          [
            !/(^|&)presentation_submission=[^&]*["{]/.test(request?.body ?? ''),
            'presentation_submission is not URL-encoded',
          ],
        ],
        'post to response_uri',
      )
    },
  },
})

/** Whether the proof of an account has a valid signature with the suite of its curve. */
function findProofOfCurve(curve: string, proof: ReceivedProof | undefined): Finding {
  const isAboutKey = ({ rule }: { readonly rule: string }) =>
    ['proof.alg', 'proof.key', 'proof.curve', 'proof.signature'].includes(rule)
  // W27 reports what is wrong for every curve.
  const failures = proof?.failures.filter(isAboutKey) ?? []
  return findBrokenRules(`The proof of the account on ${curve}`, failures, 'credential request')
}

/** The holder in a credential; the credential itself if it is not readable. */
function subjectOf(credential: unknown): unknown {
  const jws = parseJws(String(credential))
  return jws.ok ? membersOf(membersOf(jws.payload.vc).credentialSubject).id : credential
}

/** The given address in a string, with the characters of an address after it. */
function addressIn(text: string, address: string): string | undefined {
  const start = text.indexOf(address)
  if (start < 0) return undefined
  // JSON libraries write an ampersand as an escape.
  const [after = ''] =
    /^(?:[\w%&=+/-]|\\u[0-9a-f]{4})*/i.exec(text.slice(start + address.length)) ?? []
  return address + after
}

const responseCodeOf = (url: string) =>
  new URL(url, 'https://verifier.example').searchParams.get('response_code')

/** An issuer that accepts only the DID method that the wallet has not used must not get another. */
async function findMethodAccepted(context: WalletContext, kid: string): Promise<Finding> {
  const accepted = kid.startsWith('did:key:') ? 'did:jwk' : 'did:key'
  const session = context.openIssuer({
    entry: { cryptographic_binding_methods_supported: [accepted] },
  })
  await context.wallet.acceptOffer({ link: session.offerByValue() })
  const verdictSource = 'credential requests'
  const other = session.proofs.find(
    ({ holderDid }) => holderDid?.startsWith(`${accepted}:`) === false,
  )
  return other === undefined
    ? held(`The issuer that accepts only ${accepted} got no other DID.`, { verdictSource })
    : broken('The wallet sent a proof to an issuer that does not accept its DID method.', {
        verdictSource,
        level: 'practice',
        expected: accepted,
        actual: other.holderDid,
      })
}

const curves = [
  ['secp256k1', { alg: 'ES256K', prefix: 'zQ3s' }],
  ['Ed25519', { alg: 'EdDSA', prefix: 'z6Mk' }],
] as const
