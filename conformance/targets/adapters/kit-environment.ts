import type { TrustWorldAddresses } from '../../world/open-trust-world.ts'

/** Where the kit's registries are, as commands of a target get it in their environment. */
export const kitEnvironment = (addresses: TrustWorldAddresses): Record<string, string> => ({
  TESTBED_DID_REGISTRY_URL: addresses.didRegistryBaseUrl,
  TESTBED_TIR_URL: addresses.tirBaseUrl,
  TESTBED_ROOT_DID: addresses.rootDid,
  TESTBED_ENVIRONMENT: addresses.environment,
})
