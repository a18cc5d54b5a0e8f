import { z } from 'zod'
import type { HolderSuite } from '#core/crypto/suites.ts'
import { type CredentialType, zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { loadConfig } from '#kit/load-config.ts'
import { type ConnectorProfile, zConnectorProfiles } from '#services/issuer/config.ts'

/** What a testbed issues, and through which Connectors besides its own. */
export interface IssuanceConfiguration {
  /** Default: OrgPortalLearCredential alone. */
  readonly credentialTypes?: readonly CredentialType[] | undefined
  /** One named `default` stands in for the testbed's own Connector. */
  readonly connectorProfiles?: readonly ConnectorProfile[] | undefined
  /** Suites of holders' keys that issuer and verifier accept. Default: those of the documents. */
  readonly holderSuites?: readonly HolderSuite[] | undefined
  /** `c_nonce_expires_in`. Default: as long as access tokens live. */
  readonly cNonceLifetimeSeconds?: number | undefined
}

const zIssuanceConfiguration = z.object({
  credentialTypes: zCredentialTypes.optional(),
  connectorProfiles: zConnectorProfiles.optional(),
})

/**
 * Reads the files that describe credential types and Connector profiles.
 * @throws TestbedError `invalid_configuration` with line and key of what has to be mended
 */
export function readIssuanceConfiguration(files: {
  readonly credentialTypes?: string | undefined
  readonly connectorProfiles?: string | undefined
}): IssuanceConfiguration {
  return loadConfig(zIssuanceConfiguration, {
    CREDENTIAL_TYPES_FILE: files.credentialTypes,
    CONNECTOR_PROFILES_FILE: files.connectorProfiles,
  })
}
