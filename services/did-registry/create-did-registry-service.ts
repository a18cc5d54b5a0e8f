import type { z } from 'zod'
import { createChainClient } from '#kit/chain-client.ts'
import { createTransactionBuilder } from '#kit/chain-transactions.ts'
import { createApp, type Health } from '#kit/create-app.ts'
import { registryErrorBody } from '#kit/errors.ts'
import { createEventIndex } from '#kit/event-index.ts'
import { aboutExamples } from '#kit/open-api.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { createDidRegistryContract } from './adapters/did-registry-contract.ts'
import { zDidRegistryConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { createBuiltTransactions } from './domain/built-transactions.ts'
import { errorCatalogue, validationError } from './errors.ts'
import {
  addController,
  insertDidDocument,
  insertFirstDidDocument,
  revokeController,
  updateAlsoKnownAs,
  updateBaseDocument,
} from './routes/documents.ts'
import { exploreEvents, exploreIdentifier } from './routes/explorer.ts'
import { listIdentifiers, resolveIdentifier } from './routes/identifiers.ts'
import { sendTransaction } from './routes/transactions.ts'
import {
  addVerificationMethod,
  addVerificationRelationship,
  expireVerificationMethod,
  revokeVerificationMethod,
  rollVerificationMethod,
} from './routes/verification-methods.ts'

/** Every endpoint of the DID registry API (profile/did-registry, Write). */
const didRegistryRoutes = [
  listIdentifiers,
  resolveIdentifier,
  insertFirstDidDocument,
  insertDidDocument,
  updateAlsoKnownAs,
  updateBaseDocument,
  addController,
  revokeController,
  addVerificationMethod,
  revokeVerificationMethod,
  expireVerificationMethod,
  rollVerificationMethod,
  addVerificationRelationship,
  sendTransaction,
  exploreEvents,
  exploreIdentifier,
]

/**
 * The DID registry API: reads the contract, builds unsigned transactions and sends signed ones. It
 * requires no authentication and has no private key (profile/did-registry, Access).
 *
 * @row 2.what-the-service-does.4 2.authentication.1 2.versioning.1
 */
export async function createDidRegistryService(
  given: z.input<typeof zDidRegistryConfig>,
  runtime: Runtime,
): Promise<Service> {
  const config = zDidRegistryConfig.parse(given)
  const { environment, baseUrl, chainRpcUrl, didRegistryAddress } = config
  const chain = createChainClient(runtime, { caller: 'did-registry', rpcUrl: chainRpcUrl })
  const builtTransactions = createBuiltTransactions({
    lifetime: config.builtTransactionSeconds,
    limit: config.builtTransactionLimit,
  })
  runtime.snapshots.add(builtTransactions)
  const dependencies: Dependencies = {
    environment,
    contractAddress: didRegistryAddress,
    receiptWaitMilliseconds: config.receiptWaitMilliseconds,
    clock: runtime.clock,
    chain,
    contract: createDidRegistryContract(chain, didRegistryAddress),
    events: createEventIndex({
      chain,
      address: didRegistryAddress,
      firstBlock: config.explorerFirstBlock,
    }),
    transactions: createTransactionBuilder({
      chain,
      to: didRegistryAddress,
      gasLimitCeiling: config.gasLimitCeiling,
      refuse: validationError,
    }),
    builtTransactions,
  }
  const health = async (): Promise<Health> => {
    const healthy = await chain.request('eth_chainId').then(
      () => true,
      () => false,
    )
    return healthy
      ? { healthy, body: { status: 'ok', chain: 'connected' } }
      : { healthy, body: { status: 'error', chain: 'disconnected' } }
  }
  const app = createApp({
    name: 'did-registry',
    title: 'DID registry API',
    version: 'v2.0.0',
    description: `Decentralized identifiers and their DID documents on a blockchain. ${aboutExamples(environment)}`,
    baseUrl,
    runtime,
    dependencies,
    routes: didRegistryRoutes,
    errorBody: registryErrorBody,
    errorCatalogue,
    docsPath: environment === 'pre' ? '/api' : '/api/v1',
    health,
  })
  return { app, close: async () => {} }
}
