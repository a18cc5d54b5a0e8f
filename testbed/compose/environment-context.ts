import type { DidEnvironment } from '#core/did/did-org.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { Organization } from '#scenarios/harness/z-testbed-file.ts'
import type { ContractAddresses } from '#testbed/deploy/contract-addresses.ts'
import type { EnvironmentKeys } from '#testbed/deploy/create-environment-keys.ts'
import type { FaultSwitchboard } from '#testbed/faults.ts'
import type { EnvironmentPart } from '#testbed/ports.ts'
import type { IssuanceConfiguration } from '#testbed/read-issuance-configuration.ts'
import type { ServiceSettings } from '#testbed/service-settings.ts'
import type { EnvironmentSecret } from './environment-secrets.ts'

/** All that the services of one environment are configured from. */
export interface EnvironmentContext {
  readonly environment: DidEnvironment
  readonly runtime: Runtime & { readonly faults: FaultSwitchboard }
  readonly keys: EnvironmentKeys
  readonly chain: { readonly rpcUrl: string; readonly chainId: number } & ContractAddresses
  /** Public address of each part, without a trailing slash: for QR codes, links, metadata, `iss`. */
  readonly urls: Readonly<Record<EnvironmentPart, string>>
  /**
   * Where each part answers on this machine, for calls between them: nobody has to serve the public
   * addresses yet, and a proxy need not be reachable from here.
   */
  readonly localUrls: Readonly<Record<EnvironmentPart, string>>
  /** Public address of the console, where example clients are called back. */
  readonly consoleUrl: string
  readonly smtpUrl: string
  readonly issuance: IssuanceConfiguration
  readonly settings: ServiceSettings
  readonly organizations: readonly [Organization, ...Organization[]]
  /** The secret of that name in this environment, the same after a restart. */
  secret(name: EnvironmentSecret): string
  /** Where a service keeps its state, for `openDatabase`. */
  databaseUrl(service: EnvironmentPart): string
}

/** Base address of the TIR, with the path that document 2 gives it. */
export const tirBaseUrlOf = ({ urls }: Pick<EnvironmentContext, 'urls'>): string =>
  `${urls.tir}/trusted-issuers-registry`

/** The same on this machine. */
export const localTirBaseUrlOf = ({ localUrls }: Pick<EnvironmentContext, 'localUrls'>): string =>
  tirBaseUrlOf({ urls: localUrls })

type Addressed = Pick<EnvironmentContext, 'settings' | 'urls'>

/** The `credential_issuer`: the issuer's address, which serves wallets too, unless it is separate. */
export const credentialIssuerUrlOf = ({ settings, urls }: Addressed): string =>
  settings.connector?.credentialIssuerUrl ?? urls.issuer

/** The address of a management API that replaces the stand-in, if there is one. */
export const foreignManagementUrlOf = ({
  settings,
}: Pick<EnvironmentContext, 'settings'>): string | undefined => settings.issuer?.managementApiUrl
