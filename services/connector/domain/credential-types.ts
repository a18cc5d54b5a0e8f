import { inheritedTypes } from '#core/lear-credential/z-lear-credential.ts'
import {
  cryptographicBindingMethods,
  cryptographicSuites,
  jwtVcJson,
} from '#core/oid4vci/credential-formats.ts'
import type { CredentialSupported } from '#core/oid4vci/issuer-metadata/z-issuer-metadata.ts'
import type { ConnectorConfig, ConnectorCredentialType } from '../config.ts'

/** The `types` of a credential: the inheritance chain and its own. */
export function typesOf(id: string): readonly string[] {
  return [...inheritedTypes, id]
}

/** Where the JSON Schema of a type is published. */
export function credentialSchemaUrl(id: string, { baseUrl }: ConnectorConfig): string {
  return `${baseUrl}/schemas/${encodeURIComponent(id)}`
}

/** A credential type as the metadata shows it (Document 1, Issuer metadata). */
export function describeCredentialType({ id }: ConnectorCredentialType): CredentialSupported {
  return {
    id,
    format: jwtVcJson,
    types: typesOf(id),
    bindingMethods: cryptographicBindingMethods,
    suites: cryptographicSuites,
  }
}

/**
 * The configured type that a request's `types` name: its own name has to be among them, and nothing
 * that is not in its chain. The order does not matter.
 */
export function findRequestedType(
  types: readonly string[],
  configured: readonly ConnectorCredentialType[],
): ConnectorCredentialType | undefined {
  return configured.find(({ id }) => {
    const chain = typesOf(id)
    return types.includes(id) && types.every((type) => chain.includes(type))
  })
}
