import type { CredentialPolicy } from '#core/lear-credential/credential-context.ts'
import type { VerifierConfig } from '../config.ts'
import type { SessionTable } from '../tables.ts'

/** What a session accepts: the environment's trust, and the one type that its IDP asked for. */
export function credentialPolicyOf(
  config: VerifierConfig,
  { credential_type }: Pick<SessionTable, 'credential_type'>,
): CredentialPolicy {
  const { environment, tirBaseUrl, rootDids, credentialIssuerUrls } = config
  return {
    environment,
    tirBaseUrl,
    rootDids,
    credentialIssuerUrls,
    checkStatus: config.checkCredentialStatus,
    acceptedType: credential_type,
  }
}
