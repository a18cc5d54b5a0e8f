import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import {
  type CredentialSupported,
  cryptographicBindingMethods,
  jwtVcJson,
} from '#core/oid4vci/issuer-metadata.ts'
import { type ConnectorConfig, credentialIssuerOf } from '../config.ts'

/** The `types` of a credential: its inheritance chain and its own type. */
function typesOf({ inheritedTypes, vcType }: CredentialType): readonly string[] {
  return [...inheritedTypes, vcType]
}

/** Address of the JSON Schema of a type. */
export function credentialSchemaUrl(vcType: string, config: ConnectorConfig): string {
  return `${credentialIssuerOf(config)}/schemas/${encodeURIComponent(vcType)}`
}

/** A credential type in the metadata (profile/connector, Issuer metadata). */
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
 * Finds the configured type that a request's `types` name: they must contain the type itself, and
 * otherwise only types of its chain, in any order.
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
