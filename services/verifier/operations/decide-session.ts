import type { CredentialPolicy } from '#core/lear-credential/credential-context.ts'
import { inheritedTypes as learTypes } from '#core/lear-credential/lear-credential.ts'
import type { Lookups } from '#core/verification/lookup.ts'
import type { Lookup } from '#core/verification/rules.ts'
import { recordVerdicts } from '#kit/record-hops.ts'
import type { Clock } from '#kit/runtime.ts'
import type { Session } from '../adapters/session-store.ts'
import type { VerifierConfig } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { createExplanation, type RecordedLookup } from '../domain/explanation.ts'
import { authorizationRequestOf } from '../domain/presentation-request.ts'
import { type VerifyResponseOptions, verifyResponse } from '../domain/verify-response.ts'
import type { SessionTable } from '../tables.ts'

/**
 * Verifies a presentation and ends its session; returns false if the session has ended meanwhile.
 */
export async function decideSession(
  session: Session,
  posted: Pick<VerifyResponseOptions, 'vpToken' | 'presentationSubmission' | 'state'>,
  dependencies: Dependencies,
): Promise<boolean> {
  const { config, runtime, sessions, outbox, log, verificationCache: cache } = dependencies
  const { session_id } = session
  const { presentationSubmission } = posted
  const now = runtime.clock.seconds()
  const request = authorizationRequestOf(config, session)
  const { lookups, recorded } = recordLookups(dependencies.lookups, runtime.clock)
  const policy = credentialPolicyOf(config, session)
  const result = await verifyResponse({ ...posted, ...lookups, request, policy, now, cache })
  recordVerdicts(result)
  const status = result.ok ? 'SUCCESS' : 'FAILED'
  const { failures } = result
  const evidence = { request, presentationSubmission, result, lookups: recorded, now }
  const basis = createExplanation(evidence)
  const { unavailable } = basis
  const verdict = JSON.stringify({
    session_id,
    status,
    ...(result.ok ? { credential: result.vc, holder_did: result.holderDid } : {}),
    failures,
    unavailable,
  })
  const explanation = JSON.stringify(basis)
  if (!(await sessions.decide(session_id, { status, verdict, explanation }))) return false
  const rules = [...new Set(failures.map(({ rule }) => rule))]
  log[unavailable.length > 0 ? 'warn' : 'info'](
    { sessionId: session_id, status, rules, unavailable },
    unavailable.length > 0 ? 'a presentation could not be verified' : 'a presentation was verified',
  )
  await outbox.report(session, verdict)
  return true
}

/** Wraps lookups and records every request and its result. */
function recordLookups(
  { resolveDidDocument, readAttribute, fetchStatusList }: Lookups,
  clock: Clock,
): { readonly lookups: Lookups; readonly recorded: readonly RecordedLookup[] } {
  const recorded: RecordedLookup[] = []
  const record = async <Value>(
    service: RecordedLookup['service'],
    what: string,
    asked: Promise<Lookup<Value>>,
  ): Promise<Lookup<Value>> => {
    const began = clock.milliseconds()
    const lookup = await asked
    const milliseconds = clock.milliseconds() - began
    recorded.push(
      lookup.ok
        ? { service, what, found: true, unavailable: false, milliseconds }
        : {
            service,
            what,
            found: false,
            unavailable: lookup.kind === 'unavailable',
            reason: lookup.reason,
            milliseconds,
          },
    )
    return lookup
  }
  return {
    recorded,
    lookups: {
      resolveDidDocument: (did, validAt) =>
        record(
          'did-registry',
          validAt === undefined ? did : `${did} valid-at ${validAt}`,
          resolveDidDocument(did, validAt),
        ),
      readAttribute: (did, attributeId) =>
        record('tir', `${did} ${attributeId}`, readAttribute(did, attributeId)),
      fetchStatusList: (url) => record('status-list', url, fetchStatusList(url)),
    },
  }
}

/**
 * The acceptance policy of a session: the environment's trust, and the one type that its IDP
 * requested. A type that is not configured inherits from the LEAR credential, like a configured one
 * without a chain.
 *
 * @assumption A-26
 */
function credentialPolicyOf(
  config: VerifierConfig,
  { credential_type: acceptedType }: Pick<SessionTable, 'credential_type'>,
): CredentialPolicy {
  const { environment, tirBaseUrl, rootDids, credentialIssuerUrls, credentialTypes } = config
  const configured = credentialTypes.find(({ vcType }) => vcType === acceptedType)
  const { inheritedTypes = learTypes } = configured ?? {}
  return {
    environment,
    tirBaseUrl,
    rootDids,
    credentialIssuerUrls,
    checkStatus: config.checkCredentialStatus,
    acceptedType,
    // A family such as LEARCredential itself is accepted if it is the requested type.
    inheritedTypes: inheritedTypes.filter((type) => type !== acceptedType),
  }
}
