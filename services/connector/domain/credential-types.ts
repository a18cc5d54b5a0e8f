import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import {
  type CredentialSupported,
  cryptographicBindingMethods,
  jwtVcJson,
} from '#core/oid4vci/issuer-metadata.ts'
import { type ConnectorConfig, credentialIssuerOf } from '../config.ts'

/** The `types` of a credential: the inheritance chain and its own. */
function typesOf({ inheritedTypes, vcType }: CredentialType): readonly string[] {
  return [...inheritedTypes, vcType]
}

/** Where the JSON Schema of a type is published. */
export function credentialSchemaUrl(vcType: string, config: ConnectorConfig): string {
  return `${credentialIssuerOf(config)}/schemas/${encodeURIComponent(vcType)}`
}

/** A credential type as the metadata shows it (profile/connector, Issuer metadata). */
export function describeCredentialType(
  type: CredentialType,
  { holderSuites }: Pick<ConnectorConfig, 'holderSuites'>,
): CredentialSupported {
  return {
    id: type.vcType,
    format: jwtVcJson,
    types: typesOf(type),
    bindingMethods: cryptographicBindingMethods,
    suites: holderSuites,
  }
}

/**
 * The configured type that a request's `types` name: its own name has to be among them, and nothing
 * that is not in its chain. The order does not matter.
 */
export function findRequestedType(
  types: readonly string[],
  configured: readonly CredentialType[],
): CredentialType | undefined {
  return configured.find((type) => {
    const chain = typesOf(type)
    return types.includes(type.vcType) && types.every((name) => chain.includes(name))
  })
}
