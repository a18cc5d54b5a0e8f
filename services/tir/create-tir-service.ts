import type { z } from 'zod'
import { createChainClient } from '#kit/chain-client.ts'
import { createTransactionBuilder } from '#kit/chain-transactions.ts'
import { createApp, type Health } from '#kit/create-app.ts'
import { registryErrorBody } from '#kit/errors.ts'
import { createEventIndex } from '#kit/event-index.ts'
import { aboutExamples } from '#kit/open-api.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { createApiKeyValidator } from './adapters/api-keys-client.ts'
import { createTirContract } from './adapters/tir-contract.ts'
import { zTirConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { errorCatalogue, rpcError } from './errors.ts'
import { readAttribute } from './routes/attributes.ts'
import { exploreAttribute, exploreIssuers } from './routes/explorer.ts'
import { jsonRpc } from './routes/json-rpc.ts'

/**
 * Every endpoint of the TIR API except /health, /metrics and /api-docs (profile/tir, Endpoints).
 */
const tirRoutes = [jsonRpc, readAttribute, exploreIssuers, exploreAttribute]

const pathPrefix = '/trusted-issuers-registry'

/**
 * The API of the trusted issuers registry, below the path /trusted-issuers-registry.
 *
 * @row 2.what-the-service-does.4 2.endpoints/tir.3..5 2.authentication.3 2.versioning.2
 */
export async function createTirService(
  given: z.input<typeof zTirConfig>,
  runtime: Runtime,
): Promise<Service> {
  const config = zTirConfig.parse(given)
  const { environment, baseUrl, chainRpcUrl, tirAddress, apiKeysUrl, apiKeyScope } = config
  const chain = createChainClient(runtime, { caller: 'tir', rpcUrl: chainRpcUrl })
  const dependencies: Dependencies = {
    environment,
    contractAddress: tirAddress,
    chain,
    contract: createTirContract(chain, tirAddress),
    events: createEventIndex({
      chain,
      address: tirAddress,
      firstBlock: config.explorerFirstBlock,
    }),
    transactions: createTransactionBuilder({
      chain,
      to: tirAddress,
      gasLimitCeiling: config.gasLimitCeiling,
      refuse: (message) => rpcError('invalid_params', message),
    }),
    isValidApiKey: createApiKeyValidator(runtime, { apiKeysUrl, scope: apiKeyScope }),
    log: runtime.log.child({ service: 'tir' }),
  }
  const began = performance.now()
  const health = (): Promise<Health> => {
    const uptime = (performance.now() - began) / 1000
    return chain.request('eth_chainId').then(
      () => ({ healthy: true, body: { status: 'ok', uptime } }),
      // Reads fail then, and clients that depend on this registry must see it here.
      () => ({ healthy: false, body: { status: 'error', uptime, chain: 'disconnected' } }),
    )
  }
  const app = createApp({
    name: 'tir',
    title: 'Trusted issuers registry API',
    version: 'v1',
    description: `The registry of trusted issuers and their accreditations. ${aboutExamples(environment)}`,
    baseUrl,
    runtime,
    dependencies,
    routes: tirRoutes,
    errorBody: registryErrorBody,
    errorCatalogue,
    securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    docsPath: `${pathPrefix}/api-docs`,
    pathPrefix,
    health,
  })
  return { app, close: async () => {} }
}
