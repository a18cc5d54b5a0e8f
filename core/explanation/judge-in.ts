import { type DidEnvironment, parseDidOrg } from '#core/did/did-org.ts'
import type { CredentialPolicy } from '#core/lear-credential/credential-context.ts'
import { defaultCredentialType, inheritedTypes } from '#core/lear-credential/z-lear-credential.ts'
import { parseAttributeId } from '#core/trust/attribute-id.ts'
import type {
  FailedLookup,
  FetchStatusList,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'
import type { ExplainOptions } from './explain-options.ts'

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
