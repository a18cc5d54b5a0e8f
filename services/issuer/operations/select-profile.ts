import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import type { ConnectorClient } from '../adapters/connector-client.ts'
import { connectorProfileNotConfigured, vcTypeNotConfigured } from '../errors.ts'
import type { IssuerDependencies } from '../issuer-dependencies.ts'

export interface SelectedProfile {
  readonly type: CredentialType
  readonly connector: ConnectorClient
}

/**
 * The configured credential type and the Connector of its profile. Throws the documented 500s where
 * one of them is not configured (Document 1, Errors).
 */
export function selectProfile(
  vcType: string,
  { config, connectors }: IssuerDependencies,
): SelectedProfile {
  const type = config.credentialTypes.find((configured) => configured.vcType === vcType)
  if (!type) throw vcTypeNotConfigured(vcType)
  const connector = connectors.get(type.connectorProfile)
  if (!connector) throw connectorProfileNotConfigured(type.connectorProfile)
  return { type, connector }
}
