import { encodeBase64url, encodeJson } from '#core/crypto/base64url.ts'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { parseJws, signJws } from '#core/crypto/jws.ts'
import {
  createAuthorizationRequestUri,
  createSignedAuthorizationRequestUri,
} from '#core/oid4vp/authorization-request.ts'
import { resolveEnvironmentDid } from '#scenarios/fixtures/environment-trust.ts'
import { beginLoginWithCredential, completeLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import {
  type FetchedRequest,
  fetchRequest,
  presentCredential,
} from '#scenarios/fixtures/presentations.ts'
import { startTamperingProxy, type TamperedAnswer } from '#scenarios/fixtures/tampering-proxy.ts'
import { expectWalletStop } from '#scenarios/fixtures/wallet-refusals.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
} from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import type { WalletErrorCode } from '#wallet-emulator/wallet-error.ts'

interface Delivery {
  readonly name: string
  readonly what: string
  /** Returns the link that the wallet receives. */
  readonly linkTo: (fetched: FetchedRequest) => string
  readonly signed: boolean
}

const deliveries: readonly Delivery[] = [
  {
    name: 'by-reference',
    what: 'by reference, as recommended',
    linkTo: ({ requestUri }) => `openid4vp://?request_uri=${encodeURIComponent(requestUri)}`,
    signed: true,
  },
  {
    name: 'by-value',
    what: 'by value: all parameters in the link',
    linkTo: ({ request }) => createAuthorizationRequestUri(request),
    signed: false,
  },
  {
    name: 'signed-in-link',
    what: 'as a signed JWT in the link itself',
    linkTo: ({ request, jwt }) => createSignedAuthorizationRequestUri(request.client_id, jwt),
    signed: true,
  },
]

function deliveryScenario({ name, what, linkTo, signed }: Delivery, index: number): Scenario {
  return defineScenario({
    id: `login/request-delivery-${name}`,
    title: `A wallet answers a request that arrives ${what}`,
    algorithms: oneAlgorithm(index),
    description: `
The verifier's request of a login has the members that the profile requires. The wallet receives it
${what}, answers it, and the login succeeds.`,
    references: cite('Profile: 1.resources-and-their-fields/presentation-authorization-request'),

    async run(context) {
      const { step, environment } = context
      const { wallet, relyingParty, login } = await beginLoginWithCredential(context)
      const fetched = await step(
        'The request has the members that the profile requires',
        async () => {
          const found = await fetchRequest(context, login.link)
          expectIncludes(
            'the request',
            { ...found.request },
            {
              response_type: 'vp_token',
              response_mode: 'direct_post',
              client_id: environment.verifierDid,
            },
          )
          expectMatch('response_uri', found.request.response_uri, /^https?:\/\//)
          // 128 bits in base64url.
          expectMatch('nonce', found.request.nonce, /^[\w-]{22,}$/)
          const [query] = found.request.dcql_query.credentials
          expectEqual('the format that is asked for', query?.format, 'jwt_vc_json')
          return found
        },
      )
      await step(`The wallet receives it ${what} and answers`, async () => {
        const { request } = await present(wallet, linkTo(fetched), {
          resolveDidDocument: resolveEnvironmentDid(context, wallet),
          requireSigned: signed,
        })
        expectEqual('whether it was signed', request.signed, signed)
      })
      await step('The login succeeds', async () => {
        await completeLogin({ login, relyingParty })
      })
    },
  })
}

interface Tampering {
  readonly name: string
  /** The change that the proxy makes, as the end of "A request …". */
  readonly what: string
  readonly tamper: (requestJwt: string, proxyAddress: string) => TamperedAnswer
  readonly code?: WalletErrorCode
  /** The rule of the wallet that it breaks. */
  readonly rule?: string
  readonly why: string
}

/** Changes members of the request and keeps the verifier's signature. */
function changeMembers(jwt: string, members: object): TamperedAnswer {
  const [header, payload = '', signature] = jwt.split('.')
  const before = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  const changed = encodeJson({ ...before, ...members })
  return { body: [header, changed, signature].join('.') }
}

/** Signs the same request as an attacker would: validly, with another key and another client_id. */
function signAsStranger(jwt: string): TamperedAnswer {
  const jws = parseJws(jwt)
  const privateKey = createPrivateJwk('secp256k1', new Uint8Array(32).fill(7))
  const stranger = createHolderDid({ method: 'key', publicKey: publicJwkOf(privateKey) })
  if (!jws.ok) throw new TypeError(jws.reason)
  const payload = { ...jws.payload, iss: stranger.did, client_id: stranger.did }
  const header = { ...jws.header, alg: 'ES256K', kid: stranger.kid } as const
  return { body: signJws({ header, payload, privateKey }) }
}

const tamperings: readonly Tampering[] = [
  {
    name: 'client-id',
    what: 'with a different `client_id`',
    tamper: (jwt) => changeMembers(jwt, { client_id: 'did:key:zQ3shStranger' }),
    rule: 'request.client-id',
    why: 'A presentation is addressed to `client_id`: with a different one another verifier could use it.',
  },
  {
    name: 'nonce',
    what: 'with the nonce of another session',
    tamper: (jwt) => changeMembers(jwt, { nonce: 'a nonce of another session' }),
    rule: 'request.signature',
    why: 'A party that chooses the nonce can use the presentation in its own session.',
  },
  {
    name: 'response-uri',
    what: 'with a different `response_uri`',
    tamper: (jwt, proxyAddress) => changeMembers(jwt, { response_uri: proxyAddress }),
    rule: 'request.signature',
    why: 'The attacker would receive the presentation.',
  },
  {
    name: 'signature',
    what: 'with an invalid signature',
    tamper: (jwt) => ({
      body: jwt.replace(/\.[^.]+$/, `.${encodeBase64url(new Uint8Array(64).fill(7))}`),
    }),
    rule: 'request.signature',
    why: 'The request is otherwise correct, but nothing proves its origin.',
  },
  {
    name: 'alg-none',
    what: 'without a signature (`alg` is `none`)',
    tamper(jwt) {
      const [header = '', payload] = jwt.split('.')
      const before = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'))
      const none = encodeJson({ ...before, alg: 'none' })
      return { body: `${none}.${payload}.` }
    },
    rule: 'request.signature',
    why: 'The oldest attack on signed messages.',
  },
  {
    name: 'unsigned',
    what: 'as plain JSON',
    tamper(jwt) {
      const jws = parseJws(jwt)
      const body = JSON.stringify(jws.ok ? jws.payload : {})
      return { body, headers: { 'content-type': 'application/json' } }
    },
    rule: 'request.signature',
    why: "A wallet that expects the environment's verifier requires its signature.",
  },
  {
    name: 'stranger',
    what: 'that an attacker signed with their key and `client_id`',
    tamper: signAsStranger,
    rule: 'request.signature',
    why: 'The signature is valid, but not by a DID of the registry.',
  },
  {
    name: 'redirect',
    what: 'that redirects to another address',
    tamper: (_jwt, proxyAddress) => ({
      status: 302,
      headers: { location: proxyAddress },
      body: '',
    }),
    code: 'redirect_refused',
    why: 'A wallet does not follow redirects: the address could be in its internal network.',
  },
]

function tamperingScenario(tampering: Tampering, index: number): Scenario {
  const { name, what, tamper, code = 'invalid_request', rule, why } = tampering
  return defineScenario({
    id: `login/tampered-request-${name}`,
    title: `The wallet rejects a request ${what.replaceAll('`', '')}`,
    algorithms: oneAlgorithm(index),
    description: `
An attacker between wallet and verifier delivers a request ${what}. The wallet rejects it and does not post
a presentation, neither to the attacker nor to the verifier: the session stays \`PENDING\`.

${why}`,
    references: cite(
      'Profile: 1.resources-and-their-fields/presentation-authorization-request',
      'Assumptions: A-29, A-45',
    ),

    async run(context) {
      const { step } = context
      const { wallet, login } = await beginLoginWithCredential(context)
      const proxy = await step(
        'An attacker intercepts the messages between wallet and verifier',
        () => startTamperingProxy(context, login.link, tamper),
      )
      try {
        await step('The wallet rejects the request', async () => {
          const answering = presentCredential(context, wallet, proxy.link)
          const { rules } = await expectWalletStop('the request', answering, code)
          if (rule) expectTrue(`${rule} is among the broken rules`, rules.includes(rule), rules)
        })
        await step('The wallet posted nothing: the session is still pending', async () => {
          expectEqual('the number of posts to the attacker', proxy.posts(), 0)
          expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')
        })
      } finally {
        await proxy.close()
      }
    },
  })
}

export const scenarios = [...deliveries.map(deliveryScenario), ...tamperings.map(tamperingScenario)]
