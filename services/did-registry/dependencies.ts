import type { DidEnvironment } from '#core/did/did-org.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import type { TransactionBuilder } from '#kit/chain-transactions.ts'
import type { EventIndex } from '#kit/event-index.ts'
import type { Clock } from '#kit/runtime.ts'
import type { DidRegistryContract } from './adapters/did-registry-contract.ts'
import type { BuiltTransactions } from './domain/built-transactions.ts'

/** The dependencies of the routes. */
export interface Dependencies {
  readonly environment: DidEnvironment
  readonly contractAddress: string
  readonly receiptWaitMilliseconds: number
  readonly clock: Clock
  readonly chain: ChainClient
  readonly contract: DidRegistryContract
  readonly events: EventIndex
  readonly transactions: TransactionBuilder
  readonly builtTransactions: BuiltTransactions
}
