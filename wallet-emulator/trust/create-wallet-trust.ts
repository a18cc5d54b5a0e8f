import { didPrefixes } from '#core/did/did-org.ts'
import { createDidResolver } from '../actions/create-did-resolver.ts'
import type { WalletHttp } from '../http/create-wallet-http.ts'
import { createAttributeReader } from './create-attribute-reader.ts'
import { createStatusListReader } from './create-status-list-reader.ts'
import type { TrustEnvironment, WalletTrust } from './wallet-trust.ts'

/** The addresses and roots of one environment. */
export interface CreateWalletTrustOptions extends TrustEnvironment {
  /** Base address of the environment's DID registry. */
  readonly didRegistryBaseUrl: string
}

/**
 * Everything that a wallet of one environment asks about issuers and verifiers, from the addresses
 * of its registries. Give it to `acceptOffer` and `present`; DIDs of other environments are not found.
 */
export function createWalletTrust(
  http: WalletHttp,
  { didRegistryBaseUrl, tirBaseUrl, ...environment }: CreateWalletTrustOptions,
): Required<WalletTrust> {
  const prefix = didPrefixes[environment.environment]
  const base = tirBaseUrl.replace(/\/$/, '')
  return {
    resolveDidDocument: createDidResolver(http, (did) =>
      did.startsWith(prefix) ? didRegistryBaseUrl : undefined,
    ),
    readAttribute: createAttributeReader(http, base),
    fetchStatusList: createStatusListReader(http),
    environment: { ...environment, tirBaseUrl: base },
  }
}
