import type { Service } from '#kit/runtime.ts'
import { zTirConfig } from '#services/tir/config.ts'
import { createTirService } from '#services/tir/create-tir-service.ts'
import type { EnvironmentContext } from './environment-context.ts'

/** The TIR's API before the contract of the environment's chain. */
export function composeTir(context: EnvironmentContext): Promise<Service> {
  const config = zTirConfig.parse({
    environment: context.environment,
    baseUrl: context.urls.tir,
    chainRpcUrl: context.chain.rpcUrl,
    tirAddress: context.chain.tirAddress,
    apiKeysUrl: context.localUrls['api-keys'],
    ...context.settings.tir,
  })
  return createTirService(config, context.runtime)
}
