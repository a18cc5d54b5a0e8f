import type { CredentialPolicy } from '#core/lear-credential/credential-context.ts'
import { inheritedTypes as learTypes } from '#core/lear-credential/lear-credential.ts'
import type { VerifierConfig } from '../config.ts'
import type { SessionTable } from '../tables.ts'

/**
 * What a session accepts: the environment's trust, and the one type that its IDP asked for. A type
 * that is not configured stands below the LEAR credential, as a configured one without a chain does.
 *
 * @assumption A-26
 */
export function credentialPolicyOf(
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
    // A family of types, LEARCredential itself, is accepted where it is the one that was asked for.
    inheritedTypes: inheritedTypes.filter((type) => type !== acceptedType),
  }
}
