import type { Service } from '#kit/runtime.ts'
import type { ConnectorService } from '#services/connector/create-connector-service.ts'
import type { IssuerService } from '#services/issuer/create-issuer-service.ts'
import type { EnvironmentPart } from '#testbed/ports.ts'
import type { EnvironmentContext } from './environment-context.ts'

export type ServicePart = Exclude<EnvironmentPart, 'chain'>

/** What the control interface asks of services past their APIs. */
export interface OperatedServices {
  readonly issuer: Pick<IssuerService, 'createOffer'>
  readonly connector: Pick<ConnectorService, 'createPreparedOffer'>
}

/** The running services of an environment. */
export type EnvironmentServices = Readonly<Record<ServicePart, Service>> & {
  readonly issuer: IssuerService
  readonly connector: ConnectorService
}

type Compose<Part extends ServicePart> = (
  context: EnvironmentContext,
) => Promise<EnvironmentServices[Part]>

/** Each module is loaded when it is asked for: all at once, while the chain is still starting. */
const loaders: { readonly [Part in ServicePart]: () => Promise<Compose<Part>> } = {
  'did-registry': async () => (await import('./compose-did-registry.ts')).composeDidRegistry,
  tir: async () => (await import('./compose-tir.ts')).composeTir,
  'api-keys': async () => (await import('./compose-api-keys.ts')).composeApiKeys,
  management: async () => (await import('./compose-management.ts')).composeManagement,
  connector: async () => (await import('./compose-connector.ts')).composeConnector,
  issuer: async () => (await import('./compose-issuer.ts')).composeIssuer,
  verifier: async () => (await import('./compose-verifier.ts')).composeVerifier,
  idp: async () => (await import('./compose-idp.ts')).composeIdp,
  'token-issuer': async () => (await import('./compose-token-issuer.ts')).composeTokenIssuer,
}

export const serviceParts = Object.keys(loaders) as readonly ServicePart[]

/** A service's code, loaded, and how to start it in an environment. */
export interface LoadedService {
  readonly part: ServicePart
  readonly compose: Compose<ServicePart>
}

/** Loads the code of one service. */
export async function loadService(part: ServicePart): Promise<LoadedService> {
  return { part, compose: await loaders[part]() }
}

/** Loads the code of all services. */
export function loadServices(): Promise<LoadedService[]> {
  return Promise.all(serviceParts.map(loadService))
}
