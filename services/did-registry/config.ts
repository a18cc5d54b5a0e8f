import { z } from 'zod'
import { zAddress } from '#core/ethereum/z-hex.ts'
import { zBaseUrl } from '#kit/z-fields.ts'

/** Configuration of the DID registry API. */
export const zDidRegistryConfig = z.object({
  environment: z.enum(['pre', 'pro']).default('pre').describe('Which DID prefix the DIDs have'),
  baseUrl: zBaseUrl.describe('Public address of this service, without a path'),
  chainRpcUrl: z.url().describe('JSON-RPC address of the chain node'),
  didRegistryAddress: zAddress.describe('Address of the contract DidRegistry'),
  explorerFirstBlock: z
    .int()
    .min(0)
    .default(0)
    .describe('Block in which the contract was deployed: the explorer reads its events from there'),
  receiptWaitMilliseconds: z
    .int()
    .min(0)
    .default(2000)
    .describe('How long the send endpoint waits for a receipt before it answers 206'),
  gasLimitCeiling: z
    .int()
    .positive()
    .default(15_000_000)
    .describe('Gas limit of a built transaction whose estimate reverts'),
  builtTransactionSeconds: z
    .int()
    .min(0)
    .default(900)
    .describe('How long the service remembers for whom it built a transaction'),
  builtTransactionLimit: z
    .int()
    .positive()
    .default(10_000)
    .describe('How many built transactions the service remembers'),
})

export type DidRegistryConfig = z.infer<typeof zDidRegistryConfig>
