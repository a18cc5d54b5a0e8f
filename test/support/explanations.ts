import type { CallbackContext } from '@openid4vc/oauth2'
import { Openid4vpVerifier } from '@openid4vc/openid4vp'
import type { TrustWorld } from '#conformance/world/create-trust-world.ts'
import { explain } from '#core/explanation/explain.ts'
import type { ExplainOptions, Explanation } from '#core/explanation/explanation.ts'

/** Everything of a trust world that an explanation can request. */
export function trustOf({ sources, policy }: TrustWorld): NonNullable<ExplainOptions['trust']> {
  const { tirBaseUrl, rootDids, credentialIssuerUrls } = policy
  return { pre: { ...sources, tirBaseUrl, rootDids, credentialIssuerUrls } }
}

/** Explains a message with the registries of a trust world, at its time. */
export function explainInWorld(
  world: TrustWorld,
  message: unknown,
  options: Partial<ExplainOptions> = {},
): Promise<Explanation> {
  return explain(message, { now: world.now, trust: trustOf(world), ...options })
}

/** The rules with the given verdict, each once, including those of the parts. */
export function rulesWith(
  verdict: 'held' | 'broken' | 'not-checked',
  { rules, parts }: Explanation,
): readonly string[] {
  const own = rules.filter((rule) => rule.verdict === verdict).map(({ rule }) => rule)
  return [...new Set([...own, ...parts.flatMap((part) => rulesWith(verdict, part))])]
}

/** A presentation request of OpenID4VP 1.0 by oid4vc-ts: its link and its parameters. */
export function createForeignRequest(callbacks: CallbackContext) {
  return new Openid4vpVerifier({ callbacks }).createOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: {
      response_type: 'vp_token',
      response_mode: 'direct_post',
      client_id: 'redirect_uri:https://verifier.example/response',
      response_uri: 'https://verifier.example/response',
      nonce: 'n',
      dcql_query: {
        credentials: [
          {
            id: 'lear',
            format: 'jwt_vc_json',
            meta: { type_values: [['OrgPortalLearCredential']] },
            claims: [{ path: ['credentialSubject', 'mandate'] }],
          },
        ],
      },
    },
  })
}
