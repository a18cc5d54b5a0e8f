import type { DidEnvironment } from '#core/did/did-org.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import type { TransactionBuilder } from '#kit/chain-transactions.ts'
import type { EventIndex } from '#kit/event-index.ts'
import type { Log } from '#kit/log.ts'
import type { ApiKeyValidator } from './adapters/api-keys-client.ts'
import type { TirContract } from './adapters/tir-contract.ts'

/** The dependencies of the routes and methods. */
export interface Dependencies {
  readonly environment: DidEnvironment
  readonly contractAddress: string
  readonly chain: ChainClient
  readonly contract: TirContract
  readonly events: EventIndex
  readonly transactions: TransactionBuilder
  readonly isValidApiKey: ApiKeyValidator
  readonly log: Log
}
