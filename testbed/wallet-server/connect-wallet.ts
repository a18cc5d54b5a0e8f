import type { DidEnvironment } from '#core/did/did-org.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import type { Environment, TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { readTestbedClock, readTestbedFile } from '#testbed/runs/running-testbed.ts'
import { createWallet, type Wallet, type WalletOptions } from '#wallet-emulator/create-wallet.ts'
import type { OnWalletEvent } from '#wallet-emulator/events.ts'
import type { WalletHttp } from '#wallet-emulator/http/create-wallet-http.ts'
import {
  createDidResolver,
  createWalletTrust,
  type WalletTrust,
} from '#wallet-emulator/trust/wallet-trust.ts'

/** A wallet that communicates with issuers and verifiers, and the registries that it uses. */
export interface ConnectedWallet {
  readonly wallet: Wallet
  readonly trust: WalletTrust
}

/** Options of a command that communicates with issuers or verifiers. */
export interface NetworkOptions extends ForeignRegistries {
  readonly data: string
  readonly allowPrivateAddresses?: boolean
}

export interface ConnectWalletOptions extends NetworkOptions {
  /** The offer or the request to answer. */
  readonly link: string
  readonly onEvent?: OnWalletEvent
}

/**
 * Connects a wallet. If a testbed runs on the data folder, the wallet uses its clock and the
 * addresses of its registries, and may fetch from the private addresses of its services.
 *
 * @assumption A-29
 */
export async function connectWallet(
  wallet: Pick<WalletOptions, 'account' | 'store' | 'faults'>,
  { data, allowPrivateAddresses, link, onEvent = () => {}, ...foreign }: ConnectWalletOptions,
): Promise<ConnectedWallet> {
  const testbed = await readTestbedFile(data)
  const connected = createWallet({
    ...wallet,
    now: await readTestbedClock(testbed),
    http: { allowPrivateAddresses: allowPrivateAddresses ?? testbed !== undefined },
    onEvent,
  })
  return { wallet: connected, trust: findTrust(connected.http, { testbed, foreign, link }) }
}

/** Registries that do not belong to a testbed. */
interface ForeignRegistries {
  readonly didRegistry?: string | undefined
  readonly tir?: string | undefined
  readonly rootDid?: readonly string[] | undefined
  readonly environment?: DidEnvironment | undefined
}

export interface FindTrustOptions {
  readonly testbed: TestbedFile | undefined
  /** Third-party registries; if they are given, the testbed's are not used. */
  readonly foreign: ForeignRegistries
  /** The offer or the request to answer. */
  readonly link: string
}

/**
 * The registries that a wallet uses for the issuer or the verifier of a link: those of the
 * testbed's environment to which the link belongs. Without a testbed and without a registry, none.
 * @throws TestbedError `invalid_option` for a TIR without its DID registry or its root
 */
export function findTrust(
  http: WalletHttp,
  { testbed, foreign, link }: FindTrustOptions,
): WalletTrust {
  const trust = findForeignTrust(http, foreign)
  if (trust !== undefined) return trust
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

function findForeignTrust(
  http: WalletHttp,
  { didRegistry, tir, rootDid, environment = 'pre' }: ForeignRegistries,
): WalletTrust | undefined {
  if (tir === undefined && rootDid === undefined) {
    if (didRegistry === undefined) return undefined
    return { resolveDidDocument: createDidResolver(http, () => didRegistry) }
  }
  if (didRegistry === undefined || tir === undefined || rootDid === undefined) {
    throw wrongUsage('Verifying issuers with a TIR requires --did-registry, --tir and --root-did.')
  }
  const addresses = { didRegistryBaseUrl: didRegistry, tirBaseUrl: tir }
  return createWalletTrust(http, { environment, ...addresses, rootDids: rootDid })
}

function isOf(environment: Environment, link: string): boolean {
  const { credentialIssuerUrl, issuerBaseUrl, verifierBaseUrl, verifierDid } = environment
  const names = [credentialIssuerUrl, issuerBaseUrl, verifierBaseUrl, verifierDid]
  return names.some((name) => link.includes(name) || link.includes(encodeURIComponent(name)))
}
