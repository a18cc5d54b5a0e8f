import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { parseJws, signJws } from '#core/crypto/jws.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { startTamperingProxy, type TamperedAnswer } from '#scenarios/fixtures/tampering-proxy.ts'
import { expectWalletStop } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario, oneAlgorithm, type Scenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import type { WalletErrorCode } from '#wallet-emulator/wallet-error.ts'

interface Tampering {
  readonly name: string
  /** What the proxy did, as the end of "A request …". */
  readonly what: string
  readonly tamper: (requestJwt: string, proxyAddress: string) => TamperedAnswer
  readonly code?: WalletErrorCode
  /** The rule that it breaks at the wallet. */
  readonly rule?: string
  readonly why: string
}

/** The request with other members and the verifier's old signature. */
function changeMembers(jwt: string, members: object): TamperedAnswer {
  const [header, payload = '', signature] = jwt.split('.')
  const before = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  const changed = encodeBase64url(JSON.stringify({ ...before, ...members }))
  return { body: [header, changed, signature].join('.') }
}

/** The same request as a stranger would send it: with another key, another client_id, well signed. */
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
    what: 'with another `client_id`',
    tamper: (jwt) => changeMembers(jwt, { client_id: 'did:key:zQ3shStranger' }),
    rule: 'request.client-id',
    why: 'A presentation is addressed to `client_id`: with another one it could be used elsewhere.',
  },
  {
    name: 'nonce',
    what: 'with the nonce of another session',
    tamper: (jwt) => changeMembers(jwt, { nonce: 'a nonce of somebody else' }),
    rule: 'request.signature',
    why: 'Who chooses the nonce can use the presentation in a session of their own.',
  },
  {
    name: 'response-uri',
    what: 'with another `response_uri`',
    tamper: (jwt, proxyAddress) => changeMembers(jwt, { response_uri: proxyAddress }),
    rule: 'request.signature',
    why: 'The presentation would go to whoever tampered with it.',
  },
  {
    name: 'signature',
    what: 'with another signature',
    tamper: (jwt) => ({
      body: jwt.replace(/\.[^.]+$/, `.${encodeBase64url(new Uint8Array(64).fill(7))}`),
    }),
    rule: 'request.signature',
    why: 'Nothing else is wrong with it; but nobody vouches for it.',
  },
  {
    name: 'alg-none',
    what: 'without a signature, `alg` being `none`',
    tamper(jwt) {
      const [header = '', payload] = jwt.split('.')
      const before = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'))
      const none = encodeBase64url(JSON.stringify({ ...before, alg: 'none' }))
      return { body: `${none}.${payload}.` }
    },
    rule: 'request.signature',
    why: 'The oldest way to do without a key.',
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
    why: "A wallet that expects the environment's verifier does not settle for less.",
  },
  {
    name: 'stranger',
    what: 'that a stranger has signed with a key and a `client_id` of their own',
    tamper: signAsStranger,
    rule: 'request.signature',
    why: 'Well signed, but not by a DID of the registry.',
  },
  {
    name: 'redirect',
    what: 'that is said to be elsewhere',
    tamper: (_jwt, proxyAddress) => ({
      status: 302,
      headers: { location: proxyAddress },
      body: '',
    }),
    code: 'redirect_refused',
    why: 'A wallet follows no redirect: the address could be one of its own network.',
  },
]

function scenarioFor(tampering: Tampering, index: number): Scenario {
  const { name, what, tamper, code = 'invalid_request', rule, why } = tampering
  return defineScenario({
    id: `login/tampered-request-${name}`,
    title: `A request ${what.replaceAll('`', '')} gets no answer from the wallet`,
    category: 'Login',
    algorithms: oneAlgorithm(index),
    description: `
Somebody stands between wallet and verifier and hands out a request ${what}. The wallet refuses it
and posts nothing, neither there nor to the verifier: the session stays \`PENDING\`.

${why}`,
    references: [
      { document: 'Document 1', section: 'Presentation authorization_request' },
      { document: 'Assumptions', section: 'A-29, A-45' },
    ],

    async run(context) {
      const { step } = context
      const wallet = context.createWallet()
      await step('A wallet holds a credential', () => collectCredential(context, wallet))
      const { login } = await step('A relying party begins a login', () => beginLogin(context))
      const proxy = await step('Somebody gets between wallet and verifier', () =>
        startTamperingProxy(context, login.link, tamper),
      )
      try {
        await step('The wallet refuses the request', async () => {
          const answering = presentCredential(context, wallet, proxy.link)
          const { rules } = await expectWalletStop('the request', answering, code)
          if (rule) expectTrue(`${rule} is among the broken rules`, rules.includes(rule), rules)
        })
        await step('Nothing was posted: the session is still pending', async () => {
          expectEqual('the number of posts to the stranger', proxy.posts(), 0)
          expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')
        })
      } finally {
        await proxy.close()
      }
    },
  })
}

export const scenarios = tamperings.map(scenarioFor)
