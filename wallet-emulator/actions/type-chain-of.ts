import type { CredentialSupported } from '#core/oid4vci/issuer-metadata.ts'

/** The announced types with the credential's own one last: issuers list them in any order. */
export function typeChainOf({ id, types }: CredentialSupported): readonly string[] {
  const own = types.includes(id) ? id : types.findLast((type) => type !== 'VerifiableCredential')
  return own === undefined ? types : [...types.filter((type) => type !== own), own]
}
