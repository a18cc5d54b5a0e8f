import { type DidEnvironment, parseDidOrg } from '#core/did/did-org.ts'
import type { CredentialPolicy } from '#core/lear-credential/credential-context.ts'
import { defaultCredentialType, inheritedTypes } from '#core/lear-credential/lear-credential.ts'
import { parseAttributeId } from '#core/trust/tir-attribute.ts'
import type { Lookups } from '#core/verification/lookup.ts'
import {
  evaluateRules,
  type FailedLookup,
  type Lookup,
  type RuleText,
} from '#core/verification/rules.ts'
import { type ExplainedContent, type ExplainOptions, factsOf } from './explanation.ts'

/**
 * Returns the policy and sources for a message: of the given environment, by default of the
 * message's own. A source that is not configured is not queried.
 */
export function createPolicyAndSources(
  { environment: named, trust, acceptedType, inheritedTypes: above }: ExplainOptions,
  own: DidEnvironment,
): { readonly policy: CredentialPolicy; readonly sources: Lookups } {
  const environment = named ?? own
  const known = trust?.[environment] ?? {}
  const usual = known.credentialType ?? { vcType: defaultCredentialType, inheritedTypes }
  const accepted = acceptedType ?? usual.vcType
  const usualAbove = accepted === usual.vcType ? usual.inheritedTypes : inheritedTypes
  return {
    policy: {
      environment,
      tirBaseUrl: known.tirBaseUrl ?? '',
      acceptedType: accepted,
      inheritedTypes: (above ?? usualAbove).filter((type) => type !== accepted),
      rootDids: known.rootDids ?? [],
      credentialIssuerUrls: known.credentialIssuerUrls ?? [],
      checkStatus: true,
    },
    sources: onlyWithin(environment, {
      resolveDidDocument: known.resolveDidDocument ?? notConfigured('DID registry'),
      readAttribute: known.readAttribute ?? notConfigured('TIR'),
      fetchStatusList: known.fetchStatusList ?? notConfigured('issuer of status lists'),
    }),
  }
}

/**
 * Keeps the destination of requests independent of the message: values that are not a DID of the
 * environment, or not an attributeId, cause no request.
 *
 * @assumption A-29
 */
function onlyWithin(environment: DidEnvironment, ask: Lookups): Lookups {
  const isOwn = (did: string) => parseDidOrg(did)?.environment === environment
  const none = (reason: string): FailedLookup => ({ ok: false, kind: 'not-found', reason })
  return {
    ...ask,
    resolveDidDocument: async (did, validAt) =>
      isOwn(did)
        ? ask.resolveDidDocument(did, validAt)
        : none(`it is not a DID of the environment ${environment}`),
    readAttribute: async (did, attributeId) =>
      isOwn(did) && parseAttributeId(attributeId) === attributeId
        ? ask.readAttribute(did, attributeId)
        : none(`it is not an attribute of a DID of the environment ${environment}`),
  }
}

const notConfigured = (what: string) => async (): Promise<FailedLookup> => ({
  ok: false,
  kind: 'not-asked',
  reason: `no ${what} is configured for its environment`,
})

/**
 * Fetches the content that a link refers to, if fetching is allowed: `rule` states that it can be
 * fetched, and `text` of the result is the response body.
 */
export async function followReference(
  { fetchReference }: ExplainOptions,
  rule: RuleText,
  url: string,
): Promise<ExplainedContent & { readonly text?: string }> {
  const fetched: Lookup<string> = fetchReference
    ? await fetchReference(url)
    : { ok: false, kind: 'not-asked', reason: 'fetching is not allowed' }
  const results = evaluateRules<Lookup<string>>(
    [
      {
        ...rule,
        evaluate: (lookup, { lack }) => {
          if (!lookup.ok) lack(lookup)
        },
      },
    ],
    fetched,
  )
  return {
    ...results,
    facts: factsOf([['Address', url]]),
    content: undefined,
    ...(fetched.ok ? { text: fetched.value } : {}),
  }
}
