import type { Service } from '#kit/runtime.ts'
import type { EnvironmentPart } from '#testbed/ports.ts'
import type { EnvironmentContext } from './environment-context.ts'

export type ServicePart = Exclude<EnvironmentPart, 'chain'>

type Compose = (context: EnvironmentContext) => Promise<Service>

/**
 * The services of an environment. Each module is loaded when it is asked for, all at once, while
 * the chain is still starting.
 */
export const loadServices: Readonly<Partial<Record<ServicePart, () => Promise<Compose>>>> = {
  'did-registry': async () => (await import('./compose-did-registry.ts')).composeDidRegistry,
  connector: async () => (await import('./compose-connector.ts')).composeConnector,
  issuer: async () => (await import('./compose-issuer.ts')).composeIssuer,
  verifier: async () => (await import('./compose-verifier.ts')).composeVerifier,
  management: async () => (await import('./compose-management.ts')).composeManagement,
  'token-issuer': async () => (await import('./compose-token-issuer.ts')).composeTokenIssuer,
}
