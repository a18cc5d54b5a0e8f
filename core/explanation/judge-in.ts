import { type DidEnvironment, parseDidOrg } from '#core/did/did-org.ts'
import type { CredentialPolicy } from '#core/lear-credential/credential-context.ts'
import { defaultCredentialType, inheritedTypes } from '#core/lear-credential/lear-credential.ts'
import { parseAttributeId } from '#core/trust/tir-attribute.ts'
import type {
  FetchStatusList,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'
import { evaluateRules, type FailedLookup, type Lookup } from '#core/verification/rules.ts'
import { type ExplainedContent, type ExplainOptions, factsOf } from './explanation.ts'

/** Whom an explanation asks in an environment; what nobody was named for is not asked. */
export interface Sources {
  readonly resolveDidDocument: ResolveDidDocument
  readonly readAttribute: ReadAttribute
  readonly fetchStatusList: FetchStatusList
}

/** What a message is judged by in an environment: by the one that was named, else by its own. */
export function judgeIn(
  { environment: named, trust, acceptedType, inheritedTypes: above }: ExplainOptions,
  own: DidEnvironment,
): { readonly policy: CredentialPolicy; readonly sources: Sources } {
  const environment = named ?? own
  const known = trust?.[environment] ?? {}
  const accepted = acceptedType ?? defaultCredentialType
  return {
    policy: {
      environment,
      tirBaseUrl: known.tirBaseUrl ?? '',
      acceptedType: accepted,
      inheritedTypes: (above ?? inheritedTypes).filter((type) => type !== accepted),
      rootDids: known.rootDids ?? [],
      credentialIssuerUrls: known.credentialIssuerUrls ?? [],
      checkStatus: true,
    },
    sources: onlyWithin(environment, {
      resolveDidDocument: known.resolveDidDocument ?? nobody('DID registry'),
      readAttribute: known.readAttribute ?? nobody('TIR'),
      fetchStatusList: known.fetchStatusList ?? nobody('issuer of status lists'),
    }),
  }
}

/**
 * Lets nothing in a message decide where a request goes: what is no DID of the environment, and no
 * attributeId, is not asked about.
 *
 * @assumption A-29
 */
function onlyWithin(environment: DidEnvironment, ask: Sources): Sources {
  const isOwn = (did: string) => parseDidOrg(did)?.environment === environment
  const none = (reason: string): FailedLookup => ({ ok: false, kind: 'not-found', reason })
  return {
    ...ask,
    resolveDidDocument: async (did, validAt) =>
      isOwn(did)
        ? ask.resolveDidDocument(did, validAt)
        : none(`it is no DID of the environment ${environment}`),
    readAttribute: async (did, attributeId) =>
      isOwn(did) && parseAttributeId(attributeId) === attributeId
        ? ask.readAttribute(did, attributeId)
        : none(`it is no attribute of a DID of the environment ${environment}`),
  }
}

const nobody = (what: string) => async (): Promise<FailedLookup> => ({
  ok: false,
  kind: 'not-asked',
  reason: `no ${what} of its environment is known here`,
})

/** The rule that something can be fetched by its address. */
export interface Reference {
  readonly rule: string
  readonly statement: string
  readonly path: string
  readonly url: string
}

/** Fetches what a link refers to, where that is allowed; `text` is what came. */
export async function followReference(
  { fetchReference }: ExplainOptions,
  { rule, statement, path, url }: Reference,
): Promise<ExplainedContent & { readonly text?: string }> {
  const fetched: Lookup<string> = fetchReference
    ? await fetchReference(url)
    : { ok: false, kind: 'not-asked', reason: 'nothing is fetched here' }
  const results = evaluateRules<Lookup<string>>(
    [
      {
        rule,
        statement,
        path,
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
