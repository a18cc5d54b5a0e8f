import {
  createAuthorizationRequestUri,
  createSignedAuthorizationRequestUri,
} from '#core/oid4vp/authorization-request.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { resolveEnvironmentDid } from '#scenarios/fixtures/environment-trust.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { type FetchedRequest, fetchRequest } from '#scenarios/fixtures/presentations.ts'
import { defineScenario, oneAlgorithm, type Scenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectMatch } from '#scenarios/harness/expectations.ts'
import { present } from '#wallet-emulator/actions/present.ts'

interface Delivery {
  readonly name: string
  readonly what: string
  /** The link that reaches the wallet. */
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

function scenarioFor({ name, what, linkTo, signed }: Delivery, index: number): Scenario {
  return defineScenario({
    id: `login/request-delivery-${name}`,
    title: `A wallet answers a request that comes ${what}`,
    category: 'Login',
    algorithms: oneAlgorithm(index),
    description: `
The verifier's request of a login has what the document asks for. The wallet gets it ${what}, answers
it, and the login succeeds.`,
    references: [{ document: 'Document 1', section: 'Presentation authorization_request' }],

    async run(context) {
      const { step, environment } = context
      const wallet = context.createWallet()
      await step('A wallet holds a credential', () => collectCredential(context, wallet))
      const { relyingParty, login } = await step('A relying party begins a login', () =>
        beginLogin(context),
      )
      const fetched = await step('The request has what the document asks for', async () => {
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
      })
      await step(`The wallet gets it ${what}, and answers`, async () => {
        const { request } = await present(wallet, linkTo(fetched), {
          resolveDidDocument: resolveEnvironmentDid(context, wallet),
          requireSigned: signed,
        })
        expectEqual('whether it was signed', request.signed, signed)
      })
      await step('The login succeeds', async () => {
        await login.awaitEnd('SUCCESS')
        await relyingParty.redeem(await login.followRedirect())
      })
    },
  })
}

export const scenarios = deliveries.map(scenarioFor)
