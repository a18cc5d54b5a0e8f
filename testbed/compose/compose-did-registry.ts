import type { Service } from '#kit/runtime.ts'
import { zDidRegistryConfig } from '#services/did-registry/config.ts'
import { createDidRegistryService } from '#services/did-registry/create-did-registry-service.ts'
import type { EnvironmentContext } from './environment-context.ts'

/** The DID registry's API before the contract of the environment's chain. */
export function composeDidRegistry(context: EnvironmentContext): Promise<Service> {
  const config = zDidRegistryConfig.parse({
    environment: context.environment,
    baseUrl: context.urls['did-registry'],
    chainRpcUrl: context.chain.rpcUrl,
    didRegistryAddress: context.chain.didRegistryAddress,
    ...context.settings['did-registry'],
  })
  return createDidRegistryService(config, context.runtime)
}
