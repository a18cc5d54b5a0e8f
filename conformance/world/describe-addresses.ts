import type { TrustWorldAddresses } from './open-trust-world.ts'

/** The kit's registries as reports name them, beside the system that has to trust them. */
export function describeAddresses({
  environment,
  didRegistryBaseUrl,
  tirBaseUrl,
  rootDid,
  credentialIssuerUrl,
}: TrustWorldAddresses): Readonly<Record<string, string>> {
  return {
    environment,
    'DID registry of the kit': didRegistryBaseUrl,
    'TIR of the kit': tirBaseUrl,
    'root of trust of the kit': rootDid,
    'status lists of the kit': credentialIssuerUrl,
  }
}
