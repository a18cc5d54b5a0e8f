import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import type { Service } from '#kit/runtime.ts'
import type { ConnectorService } from '#services/connector/create-connector-service.ts'
import type { IssuerService } from '#services/issuer/create-issuer-service.ts'
import type { ServicePart } from '#testbed/process/ports.ts'
import {
  adminOf,
  afterPortalLogoutOf,
  brokerAlias,
  brokerOf,
  type EnvironmentContext,
  type LocalAccount,
  localAccountsOf,
  mainCredentialTypeOf,
  portalOf,
  type RegisteredClient,
  relyingPartyOf,
  tirBaseUrlOf,
} from './environment-context.ts'

/** What the control interface requests from services outside their APIs. */
export interface OperatedServices {
  readonly issuer: Pick<IssuerService, 'createOffer'>
  readonly connector: Pick<ConnectorService, 'createPreparedOffer'>
}

/** The running services of an environment. */
export type EnvironmentServices = Readonly<Record<ServicePart, Service>> & {
  readonly issuer: IssuerService
  readonly connector: ConnectorService
}

/** Starts a service, whose code is loaded, as an environment configures it. */
type Compose<Part extends ServicePart> = (
  context: EnvironmentContext,
) => Promise<EnvironmentServices[Part]>

/** The loaded code of a service, and how to start it in an environment. */
export interface LoadedService {
  readonly part: ServicePart
  readonly compose: Compose<ServicePart>
}

/** The DID registry's API for the contract of the environment's chain. */
async function loadDidRegistry(): Promise<Compose<'did-registry'>> {
  const { createDidRegistryService } = await import(
    '#services/did-registry/create-did-registry-service.ts'
  )
  return (context) =>
    createDidRegistryService(
      {
        environment: context.environment,
        baseUrl: context.urls['did-registry'],
        chainRpcUrl: context.chain.rpcUrl,
        didRegistryAddress: context.chain.didRegistryAddress,
        ...context.settings['did-registry'],
      },
      context.runtime,
    )
}

/** The TIR's API for the contract of the environment's chain. */
async function loadTir(): Promise<Compose<'tir'>> {
  const { createTirService } = await import('#services/tir/create-tir-service.ts')
  return (context) =>
    createTirService(
      {
        environment: context.environment,
        baseUrl: context.urls.tir,
        chainRpcUrl: context.chain.rpcUrl,
        tirAddress: context.chain.tirAddress,
        apiKeysUrl: context.localUrls['api-keys'],
        ...context.settings.tir,
      },
      context.runtime,
    )
}

/** The service that knows which API keys are valid for the TIR. */
async function loadApiKeys(): Promise<Compose<'api-keys'>> {
  const { createApiKeysService } = await import('#services/api-keys/create-api-keys-service.ts')
  return async (context) => {
    const key = context.secret('api-key/tir')
    return createApiKeysService(
      {
        baseUrl: context.urls['api-keys'],
        databaseUrl: context.databaseUrl('api-keys'),
        operatorKey: context.secret('api-key/operator'),
        initialKeys: [{ name: 'testbed', scope: 'tir', key }],
        ...context.settings['api-keys'],
      },
      context.runtime,
    )
  }
}

/** The stand-in for the system that knows which powers an organization may grant. */
async function loadManagement(): Promise<Compose<'management'>> {
  const { createManagementService } = await import(
    '#services/management/create-management-service.ts'
  )
  return async (context) => {
    const organizations = context.organizations.map(
      ({ organizationIdentifier, authorizedPowers }) => ({
        organizationIdentifier,
        roleType: 'LEGAL_REPRESENTATIVE',
        authorizedPowers,
      }),
    )
    return createManagementService(
      {
        baseUrl: context.urls.management,
        databaseUrl: context.databaseUrl('management'),
        apiKeys: [context.secret('api-key/management')],
        organizations,
        ...context.settings.management,
      },
      context.runtime,
    )
  }
}

/** The wallet-facing half of the credential issuer; it signs with the issuer's registered key. */
async function loadConnector(): Promise<Compose<'connector'>> {
  const { createConnectorService } = await import('#services/connector/create-connector-service.ts')
  return async (context) => {
    const { issuer } = context.keys
    const { credentialTypes, holderSuites, cNonceLifetimeSeconds } = context.issuance
    return createConnectorService(
      {
        baseUrl: context.urls.connector,
        credentialIssuerUrl: context.urls.issuer,
        databaseUrl: context.databaseUrl('connector'),
        apiKeys: [context.secret('api-key/connector')],
        issuerUrl: context.localUrls.issuer,
        issuerApiKey: context.secret('api-key/issuer'),
        issuerDid: issuer.did,
        issuerPrivateKey: issuer.privateKey,
        issuerVMethodId: issuer.vMethodId,
        ...(credentialTypes && { credentialTypes: [...credentialTypes] }),
        ...(holderSuites && { holderSuites: [...holderSuites] }),
        ...(cNonceLifetimeSeconds !== undefined && { cNonceLifetimeSeconds }),
        accreditationUrl: createTermsOfUseUrl(tirBaseUrlOf(context), issuer),
        ...context.settings.connector,
      },
      context.runtime,
      async (recipe, holderDid) => {
        const { prepareDefectiveCredential } = await import(
          './defects/prepare-defective-credential.ts'
        )
        return prepareDefectiveCredential(context, recipe, holderDid)
      },
    )
  }
}

/** The Credential Issuer, with the connector as its Connector profile `default`. */
async function loadIssuer(): Promise<Compose<'issuer'>> {
  const { createIssuerService } = await import('#services/issuer/create-issuer-service.ts')
  return async (context) => {
    const { keys, urls, localUrls, settings } = context
    const { credentialTypes, connectorProfiles = [] } = context.issuance
    const apiKey = context.secret('api-key/connector')
    const own = { name: 'default', url: localUrls.connector, apiKey }
    const isReplaced = connectorProfiles.some(({ name }) => name === own.name)
    const { vcType: issuedType } = mainCredentialTypeOf(context)
    return createIssuerService(
      {
        baseUrl: urls.issuer,
        walletEndpointsUrl: localUrls.connector,
        databaseUrl: context.databaseUrl('issuer'),
        jwksUri: `${localUrls['token-issuer']}/jwks`,
        // With the key set of a third-party token issuer, iss and aud are checked if they are configured.
        ...(settings.issuer?.jwksUri === undefined && {
          bearerIssuer: urls['token-issuer'],
          bearerAudience: urls.issuer,
        }),
        apiKeys: [context.secret('api-key/issuer')],
        managementApiUrl: localUrls.management,
        ...(credentialTypes && { credentialTypes: [...credentialTypes] }),
        connectorProfiles: isReplaced ? [...connectorProfiles] : [own, ...connectorProfiles],
        representativeVcType: issuedType,
        employeeVcType: issuedType,
        issuerDid: keys.issuer.did,
        issuerPrivateKey: keys.issuer.privateKey,
        issuerVMethodId: keys.issuer.vMethodId,
        smtpUrl: context.smtpUrl,
        ...settings.issuer,
      },
      context.runtime,
    )
  }
}

/** The verification service behind the IDP, with its own registered DID. */
async function loadVerifier(): Promise<Compose<'verifier'>> {
  const { createVerifierService } = await import('#services/verifier/create-verifier-service.ts')
  return async (context) => {
    const { keys, urls, localUrls, environment } = context
    const { credentialTypes, holderSuites } = context.issuance
    return createVerifierService(
      {
        environment,
        baseUrl: urls.verifier,
        databaseUrl: context.databaseUrl('verifier'),
        apiKeys: [context.secret('api-key/verifier')],
        idpUrl: localUrls.idp,
        idpApiKey: context.secret('api-key/idp'),
        didRegistryBaseUrl: localUrls['did-registry'],
        tirBaseUrl: tirBaseUrlOf(context),
        rootDids: [keys.rootTao.did],
        ...(credentialTypes && { credentialTypes: [...credentialTypes] }),
        ...(holderSuites && { holderSuites: [...holderSuites] }),
        credentialIssuerUrls: [urls.issuer],
        internalUrls: { [urls.tir]: localUrls.tir, [urls.issuer]: localUrls.issuer },
        verifierDid: keys.verifier.did,
        verifierPrivateKey: keys.verifier.privateKey,
        verifierVMethodId: keys.verifier.vMethodId,
        ...context.settings.verifier,
      },
      context.runtime,
    )
  }
}

const toClient = ({ clientId, clientSecret, redirectUri }: RegisteredClient, name: string) => ({
  clientId,
  clientSecret,
  redirectUris: [redirectUri],
  name,
})

/**
 * The provider that uses a wallet instead of a password; the token issuer is one of its clients.
 */
async function loadIdp(): Promise<Compose<'idp'>> {
  const { createIdpService } = await import('#services/idp/create-idp-service.ts')
  return async (context) => {
    const { urls, localUrls } = context
    const { rootTao, tao, issuer, verifier } = context.keys
    const { clients = [], ...settings } = context.settings.idp ?? {}
    return createIdpService(
      {
        baseUrl: urls.idp,
        databaseUrl: context.databaseUrl('idp'),
        oidCredential: mainCredentialTypeOf(context).vcType,
        verifierUrl: localUrls.verifier,
        verifierApiKey: context.secret('api-key/verifier'),
        apiKeys: [context.secret('api-key/idp')],
        cookieKeys: [context.secret('cookie/idp')],
        admin: adminOf(context),
        clients: [
          toClient(relyingPartyOf(context), 'Relying party'),
          toClient(brokerOf(context), 'Token issuer'),
          ...clients,
        ],
        documentationUrl: context.documentationUrl,
        didNames: {
          [rootTao.did]: 'Root TAO',
          [tao.did]: 'TAO',
          [issuer.did]: 'Issuer',
          [verifier.did]: 'Verifier',
        },
        explanationsUrl: `${context.consoleUrl}/sessions/${context.environment}`,
        webWalletUrl: `${context.consoleUrl}/wallets?env=${context.environment}`,
        operatorKey: context.secret('api-key/idp-operator'),
        ...settings,
      },
      context.runtime,
    )
  }
}

function toAccount({ organization, username, password }: LocalAccount) {
  const { organizationIdentifier, representative, authorizedPowers } = organization
  return {
    username,
    password,
    organizationIdentifier,
    organization: organization.organization,
    ...representative,
    power: authorizedPowers,
  }
}

/** The provider of the Bearer tokens that the issuer accepts; it brokers logins to the IDP. */
async function loadTokenIssuer(): Promise<Compose<'token-issuer'>> {
  const { createTokenIssuerService } = await import(
    '#services/token-issuer/create-token-issuer-service.ts'
  )
  return async (context) => {
    const { urls, localUrls, runtime } = context
    const portal = portalOf(context)
    const { clientId, clientSecret } = brokerOf(context)
    return createTokenIssuerService(
      {
        baseUrl: urls['token-issuer'],
        databaseUrl: context.databaseUrl('token-issuer'),
        audience: urls.issuer,
        cookieKeys: [context.secret('cookie/token-issuer')],
        apiKeys: [context.secret('api-key/token-issuer')],
        clients: [
          {
            clientId: portal.clientId,
            clientSecret: portal.clientSecret,
            redirectUris: [portal.redirectUri],
            postLogoutRedirectUris: [context.consoleUrl, afterPortalLogoutOf(context)],
            name: 'Portal',
          },
        ],
        accounts: localAccountsOf(context).map(toAccount),
        explanationsUrl: `${context.consoleUrl}/portal/refused?env=${context.environment}`,
        brokers: [
          {
            alias: brokerAlias,
            issuerUrl: urls.idp,
            backchannelUrl: localUrls.idp,
            clientId,
            clientSecret,
          },
        ],
        ...context.settings['token-issuer'],
      },
      runtime,
    )
  }
}

/** They run on demand: all together, while the chain is starting. */
const loaders: { readonly [Part in ServicePart]: () => Promise<Compose<Part>> } = {
  'did-registry': loadDidRegistry,
  tir: loadTir,
  'api-keys': loadApiKeys,
  management: loadManagement,
  connector: loadConnector,
  issuer: loadIssuer,
  verifier: loadVerifier,
  idp: loadIdp,
  'token-issuer': loadTokenIssuer,
}

/** Loads the code of one service. */
export const loadService = async (part: ServicePart): Promise<LoadedService> => ({
  part,
  compose: await loaders[part](),
})
