import type { DidEnvironment } from '#core/did/did-org.ts'
import type { Environment, TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { createDidResolver } from '#wallet-emulator/actions/create-did-resolver.ts'
import type { WalletHttp } from '#wallet-emulator/http/create-wallet-http.ts'
import { createWalletTrust } from '#wallet-emulator/trust/create-wallet-trust.ts'
import type { WalletTrust } from '#wallet-emulator/trust/wallet-trust.ts'

export interface FindTrustOptions {
  readonly testbed: TestbedFile | undefined
  /** A DID registry of somebody else's; then nothing is taken from the testbed. */
  readonly didRegistry: string | undefined
  /** The offer or the request that is answered. */
  readonly link: string
}

/**
 * Whom a wallet asks about the issuer or the verifier of a link: the registries of the testbed's
 * environment that the link leads to. Without a testbed and without a registry, nobody.
 */
export function findTrust(
  http: WalletHttp,
  { testbed, didRegistry, link }: FindTrustOptions,
): WalletTrust {
  if (didRegistry !== undefined) {
    return { resolveDidDocument: createDidResolver(http, () => didRegistry) }
  }
  const environments = Object.entries(testbed?.environments ?? {})
  const leadsTo = environments.find(([, environment]) => isOf(environment, link))
  const [name, environment] = leadsTo ?? environments[0] ?? []
  if (environment === undefined) return {}
  const { didRegistryBaseUrl, tirBaseUrl, trustChain } = environment
  const { issuerBaseUrl, credentialIssuerUrl } = environment
  return createWalletTrust(http, {
    environment: name as DidEnvironment,
    didRegistryBaseUrl,
    tirBaseUrl,
    rootDids: [trustChain.rootTao.did],
    credentialIssuerUrls: [issuerBaseUrl, credentialIssuerUrl],
  })
}

function isOf(environment: Environment, link: string): boolean {
  const { credentialIssuerUrl, issuerBaseUrl, verifierBaseUrl, verifierDid } = environment
  const names = [credentialIssuerUrl, issuerBaseUrl, verifierBaseUrl, verifierDid]
  return names.some((name) => link.includes(name) || link.includes(encodeURIComponent(name)))
}
