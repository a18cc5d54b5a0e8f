import { defaultHolderSuites, suites } from '#core/crypto/suites.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import { defaultCredentialType, inheritedTypes } from '#core/lear-credential/lear-credential.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { Organization } from '#scenarios/harness/z-testbed-file.ts'
import type { FaultSwitchboard } from '#testbed/process/faults.ts'
import { type EnvironmentPart, type ServicePart, serviceParts } from '#testbed/process/ports.ts'
import type { ContractAddresses } from '#testbed/registries/deploy-contracts.ts'
import type { EnvironmentKeys } from '#testbed/registries/environment-keys.ts'
import type { IssuanceConfiguration } from './read-configuration.ts'
import { type ServiceSettings, seededClients } from './service-settings.ts'

/** Credentials of the services of an environment and of their clients. */
const environmentSecretNames = [
  'api-key/operator',
  'api-key/tir',
  'api-key/issuer',
  'api-key/idp',
  'api-key/idp-operator',
  'api-key/connector',
  'api-key/management',
  'api-key/verifier',
  'api-key/token-issuer',
  'cookie/idp',
  'cookie/token-issuer',
  'client/relying-party',
  'client/portal',
  'client/token-issuer',
  'password/admin',
] as const

type EnvironmentSecret = (typeof environmentSecretNames)[number] | `account/${string}`

/** Every secret of an environment by its name, for a process that cannot request them. */
export function readEnvironmentSecrets({
  organizations,
  secret,
}: Pick<EnvironmentContext, 'organizations' | 'secret'>): Record<string, string> {
  const accounts = organizations.map(({ representative: { email } }) => `account/${email}` as const)
  return Object.fromEntries(
    [...environmentSecretNames, ...accounts].map((name) => [name, secret(name)]),
  )
}

/** The configuration that the services of one environment share. */
export interface EnvironmentContext {
  readonly environment: DidEnvironment
  readonly runtime: Runtime & { readonly faults: FaultSwitchboard }
  readonly keys: EnvironmentKeys
  readonly chain: { readonly rpcUrl: string; readonly chainId: number } & ContractAddresses
  /** Public address of each part, without a trailing slash: for QR codes, links, metadata, `iss`. */
  readonly urls: Readonly<Record<EnvironmentPart, string>>
  /**
   * The address of each part on this machine, for calls between them: the public addresses may not
   * be served yet, and a proxy may not be reachable from here.
   */
  readonly localUrls: Readonly<Record<EnvironmentPart, string>>
  /** Public address of the console, where example clients are called back. */
  readonly consoleUrl: string
  /** Public address of the documentation; undefined if it is not installed. */
  readonly documentationUrl: string | undefined
  readonly smtpUrl: string
  readonly issuance: IssuanceConfiguration
  readonly settings: ServiceSettings
  readonly organizations: readonly [Organization, ...Organization[]]
  /** The secret of that name in this environment, the same after a restart. */
  secret(name: EnvironmentSecret): string
  /** The place of a service's state, for `openDatabase`. */
  databaseUrl(service: EnvironmentPart): string
}

/** Base address of the TIR, with the path from the profile. */
export const tirBaseUrlOf = ({ urls }: Pick<EnvironmentContext, 'urls'>): string =>
  `${urls.tir}/trusted-issuers-registry`

/** The same address on this machine. */
export const localTirBaseUrlOf = ({ localUrls }: Pick<EnvironmentContext, 'localUrls'>): string =>
  tirBaseUrlOf({ urls: localUrls })

type Addressed = Pick<EnvironmentContext, 'settings' | 'urls'>

/**
 * The `credential_issuer`: the issuer's address, which also serves wallets, unless it is separate.
 */
export const credentialIssuerUrlOf = ({ settings, urls }: Addressed): string =>
  settings.connector?.credentialIssuerUrl ?? urls.issuer

/** The address of a management API that replaces the stand-in, if there is one. */
export const foreignManagementUrlOf = ({
  settings,
}: Pick<EnvironmentContext, 'settings'>): string | undefined => settings.issuer?.managementApiUrl

/** A client of one of the OpenID providers. */
export interface RegisteredClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

/** The token issuer's name for the IDP, a part of its redirect address. */
export const brokerAlias = 'credential-idp'

/** The relying party at which any user may log in, registered at the IDP. */
export function relyingPartyOf(context: EnvironmentContext): RegisteredClient {
  const { environment, consoleUrl } = context
  return {
    clientId: seededClients.relyingParty,
    clientSecret: context.secret('client/relying-party'),
    redirectUri: `${consoleUrl}/callback/${environment}/relying-party`,
  }
}

/** The organizations' portal, registered at the token issuer. */
export function portalOf(context: EnvironmentContext): RegisteredClient {
  const { environment, consoleUrl } = context
  return {
    clientId: 'portal',
    clientSecret: context.secret('client/portal'),
    redirectUri: `${consoleUrl}/callback/${environment}/portal`,
  }
}

/** Where the token issuer redirects the browser after a logout at the portal. */
export const afterPortalLogoutOf = ({
  environment,
  consoleUrl,
}: Pick<EnvironmentContext, 'environment' | 'consoleUrl'>): string =>
  `${consoleUrl}/portal?env=${environment}`

/** The token issuer as a client of the IDP (the profile: the external provider's redirect URI). */
export function brokerOf(context: EnvironmentContext): RegisteredClient {
  return {
    clientId: seededClients.broker,
    clientSecret: context.secret('client/token-issuer'),
    redirectUri: `${context.urls['token-issuer']}/broker/${brokerAlias}/endpoint`,
  }
}

export interface LocalAccount {
  readonly organization: Organization
  readonly username: string
  readonly password: string
}

/**
 * Accounts at the token issuer for the representatives of all organizations, who have no credential
 * yet.
 *
 * @assumption A-35
 */
export function localAccountsOf(context: EnvironmentContext): LocalAccount[] {
  return context.organizations.map((organization) => {
    const { email } = organization.representative
    return { organization, username: email, password: context.secret(`account/${email}`) }
  })
}

/** The signature suites of holders that connector and verifier accept, with their curves. */
export const holderSuitesOf = ({
  issuance: { holderSuites = defaultHolderSuites },
}: Pick<EnvironmentContext, 'issuance'>) =>
  holderSuites.map((suite) => ({ suite, curve: suites[suite].crv }))

const usualType = { vcType: defaultCredentialType, inheritedTypes: [...inheritedTypes] }

/**
 * The credential type of representatives and employees: the usual type, or the first one if that is
 * not issued.
 */
export function mainCredentialTypeOf({
  issuance: { credentialTypes: types = [] },
}: Pick<EnvironmentContext, 'issuance'>): Pick<CredentialType, 'vcType' | 'inheritedTypes'> {
  return types.find(({ vcType }) => vcType === defaultCredentialType) ?? types[0] ?? usualType
}

/** All credential types that the issuer of an environment issues. */
export const credentialTypesOf = ({
  issuance: { credentialTypes: types },
}: Pick<EnvironmentContext, 'issuance'>): string[] =>
  types?.map(({ vcType }) => vcType) ?? [defaultCredentialType]

/** The account of the IDP's admin panel. */
export function adminOf(context: EnvironmentContext) {
  return { username: 'admin', password: context.secret('password/admin') }
}

/** A context as plain data, for a service in a separate process. It contains secrets. */
export interface ContextData
  extends Omit<EnvironmentContext, 'runtime' | 'secret' | 'databaseUrl'> {
  readonly secrets: Readonly<Record<string, string>>
  readonly databaseUrls: Readonly<Record<string, string>>
}

export function toContextData(context: EnvironmentContext): ContextData {
  const { runtime: _runtime, secret: _secret, databaseUrl, ...data } = context
  const urls = serviceParts.map((part: ServicePart) => [part, databaseUrl(part)])
  return {
    ...data,
    secrets: readEnvironmentSecrets(context),
    databaseUrls: Object.fromEntries(urls),
  }
}

/** The context from this data. Throws a TypeError for a secret that is missing in it. */
export function fromContextData(
  { secrets, databaseUrls, ...data }: ContextData,
  runtime: EnvironmentContext['runtime'],
): EnvironmentContext {
  const find = (values: Readonly<Record<string, string>>) => (name: string) => {
    const value = values[name]
    if (value === undefined)
      throw new TypeError(`the secret "${name}" was not passed to this process`)
    return value
  }
  return { ...data, runtime, secret: find(secrets), databaseUrl: find(databaseUrls) }
}
