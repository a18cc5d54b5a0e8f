import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { type JwsHeader, parseJws } from '#core/crypto/jws.ts'
import {
  broken,
  type CheckRow,
  defineChecks,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import {
  leaveUnsigned,
  type SignDraft,
  signWithPublicKeyAsSecret,
} from '../../../world/defects/defect.ts'
import { flipBit } from '../../../world/defects/signature-defects.ts'
import { registerDefectiveIssuer, registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import { firstNotHeld } from '../findings/issuance-findings.ts'
import { findRequestRefused } from '../findings/presentation-findings.ts'

type RequestRefusal = Omit<CheckRow<WalletContext>, 'expectation' | 'control' | 'decides'> &
  Partial<Pick<CheckRow<WalletContext>, 'control' | 'decides'>>

const decides =
  'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.'

/** Presentation requests that a wallet must not answer. */
export const checks = defineChecks<WalletContext, RequestRefusal>(
  {
    'W35-request-bad-signature': {
      title: 'A request whose signature does not verify is not answered',
      level: 'final',
      clauses: ['RFC 9101, 6.2'],
      description: 'Anybody could ask in the name of a verifier that the holder trusts.',
      sends: 'A signed request at request_uri with one bit of the signature turned.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { afterwards: flipBit },
          why: 'the signature of the request does not verify',
        }),
    },
    'W36-client-id-mismatch': {
      title: 'A request of another client_id than the link names is not answered',
      level: 'final',
      clauses: ['RFC 9101, 5', 'OpenID4VP 1.0, 5.10.1'],
      description: 'What the holder was shown from the link has to be who gets the presentation.',
      sends:
        'A link whose client_id is a DID, with the signed request of another one at its request_uri.',
      run: (context) =>
        findRequestRefused(context, {
          why: 'the link names another client_id',
          link: (session) =>
            session.requestByReference('did:org:uc-pre:z1AnotherVerifierOfThisWorld'),
        }),
    },
    'W37-nonce-missing': {
      title: 'A request without a nonce is not answered',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/presentation-authorization-request.5',
        '1.resources-and-their-fields/presentation-token.2',
      ],
      description: 'Without it a presentation can be used again by whoever has seen it.',
      sends: 'A signed request at request_uri without nonce.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { parameters: { nonce: undefined } },
          why: 'the request has no nonce',
        }),
    },
    'W38-response-type-other': {
      title: 'A request for another response_type is not answered',
      level: 'final',
      clauses: ['RFC 6749, 3.1.1', 'OpenID4VP 1.0, 5.6'],
      description: 'What asks for a code or an id_token is no presentation request.',
      sends: 'A signed request at request_uri with response_type code.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { parameters: { response_type: 'code' } },
          why: 'response_type is not vp_token',
        }),
    },
    'W39-response-mode-other': {
      title: 'A request for another response_mode is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.2'],
      description:
        'In other modes the presentation travels through the browser, where it can be read.',
      sends: 'A signed request at request_uri with response_mode fragment.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { parameters: { response_mode: 'fragment' } },
          why: 'response_mode is not direct_post',
        }),
    },
    'W40-presentation-definition': {
      title: 'A request with a presentation_definition instead of a query is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.6'],
      description:
        'DIF presentation definitions are unsupported: a wallet that guesses what is asked for discloses too much.',
      sends: 'A signed request at request_uri with presentation_definition and no dcql_query.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { parameters: { dcql_query: undefined, presentation_definition: definition } },
          why: 'it asks by a presentation_definition',
        }),
    },
    'W41-redirect-uri-beside-direct-post': {
      title: 'A request with redirect_uri beside direct_post is not answered',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 8.2'],
      description:
        'Such a request says two things of where the answer goes; OpenID4VP has it be an invalid_request.',
      sends: 'A signed request at request_uri with redirect_uri.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { parameters: { redirect_uri: 'https://verifier.example/cb' } },
          why: 'redirect_uri stands beside direct_post',
        }),
    },
    'W42-query-format-other': {
      title: 'A query for another format is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
      description: 'format is always jwt_vc_json: an answer in another one is none.',
      sends: 'A signed request at request_uri whose query asks for the format vc+sd-jwt.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { query: { format: 'vc+sd-jwt' } },
          why: 'the query asks for the format vc+sd-jwt',
        }),
    },
    'W43-no-matching-type': {
      title: 'A query for a type that the wallet does not hold is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
      description: 'Nothing that was not asked for may leave the wallet.',
      sends: 'A signed request at request_uri whose meta.vct_values is a type that nobody issues.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { query: { meta: { vct_values: ['NoSuchCredential'] } } },
          why: 'the wallet holds no credential of that type',
        }),
    },
    'W44-claim-absent': {
      title: 'A query for a claim that no credential contains is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
      description: 'The wallet checks that the credential contains the claims that are asked for.',
      sends: 'A signed request at request_uri with a path that no credential has.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { query: { claims: [{ path: ['$.vc.credentialSubject.mandate.shoeSize'] }] } },
          why: 'no credential contains the claim',
        }),
    },
    'W46-response-uri-elsewhere': {
      title: 'An answer does not go to another host than client_id',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 8.2', 'OpenID4VP 1.0, 14.3.1'],
      description:
        'Whoever forges an unsigned request can name any client_id: the holder reads a known name, and the answer goes to the forger.',
      sends:
        'An unsigned request in the link whose client_id is https://verifier.example and whose response_uri is at the kit.',
      run: (context) =>
        findRequestRefused(context, {
          why: 'response_uri is at another host than client_id',
          link: (session) => session.requestByValue('https://verifier.example'),
        }),
    },
    'W54-request-expired': {
      title: 'An expired request is not answered',
      level: 'final',
      clauses: ['RFC 7519, 4.1.4', 'RFC 9101, 4'],
      description: 'Somebody may have kept a request and shows it to somebody else later.',
      sends: 'A signed request at request_uri whose exp was an hour ago.',
      async run(context) {
        const now = context.now()
        return findRequestRefused(context, {
          behaviour: { claims: { iat: now - 7200, exp: now - 3600 } },
          why: 'the request has expired',
        })
      },
    },
    'W63-response-redirect': {
      title: 'A redirect of the response_uri is not followed',
      level: 'practice',
      description: 'A redirect hands the presentation to whoever the answer names.',
      sends: 'A response_uri that answers 307 with another address.',
      decides: 'Nothing arrives at the other address.',
      async run(context) {
        await context.holdCredential()
        const session = context.openVerifier({
          answers: { response: () => ({ status: 307, headers: { location: 'elsewhere' } }) },
        })
        const {
          outcome,
          reason,
          source: verdictSource,
        } = await context.wallet.present({
          link: session.requestByReference(session.party.did),
        })
        if (session.posts.length === 0) {
          return inconclusive(`The wallet posted nothing: ${reason}`, { verdictSource })
        }
        const followed = session.requestsTo('elsewhere').length
        if (followed > 0) {
          return broken('The wallet posted the presentation to where the redirect led.', {
            verdictSource: 'requests to the other address',
          })
        }
        return outcome === 'refused' || outcome === 'done'
          ? held(`The wallet did not follow the redirect: ${reason}`, { verdictSource })
          : inconclusive(`The wallet did not follow the redirect; ${reason}`, { verdictSource })
      },
    },
    'W69-did-registry-down': {
      title: 'While the DID registry is down no signed request is answered',
      level: 'practice',
      description: 'Whoever can keep a wallet from the registry must not get by with that.',
      sends:
        'A signed request of a verifier that the wallet has not met, while the DID registry answers 500.',
      async run(context) {
        await context.holdCredential()
        const party = registerIssuer(context.trust.world)
        context.trust.misbehave('did-registry', 'server-error')
        return findRequestRefused(context, {
          behaviour: { party },
          why: 'the DID registry gives no answer about the verifier',
        })
      },
    },
    'W71-response-uri-other-port': {
      title: 'An answer does not go to another port than client_id',
      level: 'practice',
      description: 'Another port may be another service, of somebody else on the same machine.',
      sends:
        'An unsigned request in the link whose client_id has another port than its response_uri.',
      run: (context) =>
        findRequestRefused(context, {
          why: 'response_uri is at another port than client_id',
          link: (session) => {
            const clientId = new URL(session.baseUrl)
            clientId.port = clientId.port === '8443' ? '9443' : '8443'
            return session.requestByValue(clientId.href)
          },
        }),
    },
    'W72-response-uri-user-name': {
      title: 'A name before the @ of response_uri is not taken for its host',
      level: 'practice',
      description:
        'In https://verifier.example@evil.example the host is evil.example; whoever compares beginnings is deceived.',
      sends:
        'An unsigned request in the link whose client_id is https://verifier.example and whose response_uri is https://verifier.example@ and the host of the kit.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: {
            parameters: (verifier) => ({
              response_uri: `${verifier.replace('://', '://verifier.example@')}/response`,
            }),
          },
          why: 'the name of the verifier only stands before the @ of response_uri',
          link: (session) =>
            session.requestByValue(`${new URL(session.baseUrl).protocol}//verifier.example`),
        }),
    },
    'W73-claim-value-other': {
      title: 'A query for another value than the credential has is not answered',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 6.3', 'OpenID4VP 1.0, 6.4.1'],
      description:
        'A verifier that asks for one value has no use for another, and the holder would show it for nothing.',
      sends:
        'A signed request at request_uri whose query asks for an employeeId that the credential does not have (values).',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: {
            query: {
              claims: [
                {
                  path: ['$.vc.credentialSubject.mandate.mandatee.employeeId'],
                  values: ['EMP-OF-SOMEBODY-ELSE'],
                },
              ],
            },
          },
          why: 'no credential has the value that is asked for',
        }),
    },
    'W74-two-queries': {
      title: 'A request for two credentials is answered with both or not at all',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 6.4.2'],
      description:
        'A verifier that needs two credentials can do nothing with one; the holder would have shown it for nothing.',
      sends:
        'A signed request at request_uri whose query holds two elements, of which the wallet can answer one.',
      decides: 'Nothing is posted until the verb ends, and the wallet says that it refuses.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { parameters: { dcql_query: { credentials: [first, second] } } },
          why: 'it has only one of the two credentials that were asked for',
        }),
    },
    'W76-request-unsigned': {
      title: 'A request with alg none is not answered as a signed one',
      level: 'final',
      clauses: ['RFC 9101, 6.2', 'RFC 8725, 3.2'],
      description: 'Anybody could ask in the name of a DID whose key nobody needs then.',
      sends: 'A signed request at request_uri with alg none and no signature.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: {
            afterwards: (jwt) =>
              signAnew(jwt, leaveUnsigned, context.trust.world.issuer.privateKey),
          },
          why: 'the request is not signed (alg none)',
        }),
    },
    'W77-request-hmac': {
      title: 'A request signed with the public key as a secret is not answered',
      level: 'final',
      clauses: ['RFC 8725, 3.1'],
      description:
        'A wallet that takes alg from the header verifies an HMAC with what everybody can read in the DID document.',
      sends:
        "A signed request at request_uri with alg HS256, by HMAC with the verifier's public key.",
      async run(context) {
        const party = registerIssuer(context.trust.world)
        return findRequestRefused(context, {
          behaviour: {
            party,
            afterwards: (jwt) => signAnew(jwt, signWithPublicKeyAsSecret, party.privateKey),
          },
          why: "it carries an HMAC with the verifier's public key",
        })
      },
    },
    'W78-verifier-key-revoked': {
      title: 'A request signed with a revoked key is not answered',
      level: 'practice',
      description:
        "Whoever stole a verifier's key goes on asking with it; the DID registry says that it counts for nothing.",
      sends: 'A signed request at request_uri of a verifier whose key was revoked an hour ago.',
      async run(context) {
        const party = registerDefectiveIssuer(context.trust.world, 'key-revoked')
        return findRequestRefused(context, {
          behaviour: { party },
          why: "the verifier's key is revoked",
        })
      },
    },
    'W79-no-request': {
      title: 'Without a usable request nothing is presented',
      level: 'practice',
      description:
        'A page, an error or nothing at request_uri: there is nothing that a holder could agree to.',
      sends: 'Two links whose request_uri answers 404 and an HTML page.',
      async run(context) {
        const findings: Finding[] = []
        for (const [name, answer] of Object.entries(answers)) {
          findings.push(
            await findRequestRefused(context, {
              behaviour: { answers: { request: () => answer } },
              why: `the request is ${name}`,
            }),
          )
        }
        return firstNotHeld(findings)
      },
    },
  },
  (row) => ({ expectation: 'refuse', control: 'requests', decides, ...row }),
)

const definition = {
  id: 'definition',
  input_descriptors: [
    { id: 'lear-credential', constraints: { fields: [{ path: ['$.vc.credentialSubject'] }] } },
  ],
}

const first = {
  id: 'lear-credential',
  format: 'jwt_vc_json',
  meta: { vct_values: ['OrgPortalLearCredential'] },
}

const second = {
  id: 'second',
  format: 'jwt_vc_json',
  meta: { vct_values: ['NoSuchCredential'] },
}

const answers = {
  'not there (404)': { status: 404, body: '{"error":"not_found"}' },
  'an HTML page': { status: 200, contentType: 'text/html', body: '<h1>It works!</h1>' },
}

/** Signs a JWT anew in another way; header and payload stay as they are. */
function signAnew(jwt: string, sign: SignDraft, privateKey: PrivateJwk): string {
  const jws = parseJws(jwt)
  if (!jws.ok) throw new TypeError(jws.reason)
  return sign(jws.header as JwsHeader, jws.payload, privateKey)
}
