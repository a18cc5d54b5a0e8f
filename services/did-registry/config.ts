import { z } from 'zod'
import { zAddress } from '#core/ethereum/account.ts'
import { zExplorerFirstBlock, zGasLimitCeiling, zRegistryEnvironment } from '#kit/defaults.ts'
import { zBaseUrl } from '#kit/z-fields.ts'

/** Configuration of the DID registry API. */
export const zDidRegistryConfig = z.object({
  environment: zRegistryEnvironment,
  baseUrl: zBaseUrl.describe('Public address of this service, without a path'),
  chainRpcUrl: z.url().describe('JSON-RPC address of the chain node'),
  didRegistryAddress: zAddress.describe('Address of the contract DidRegistry'),
  explorerFirstBlock: zExplorerFirstBlock,
  receiptWaitMilliseconds: z
    .int()
    .min(0)
    .default(2000)
    .describe('How long the send endpoint waits for a receipt before it returns 206'),
  gasLimitCeiling: zGasLimitCeiling,
  builtTransactionSeconds: z
    .int()
    .min(0)
    .default(900)
    .describe('How long the service stores the signers of the transactions that it built'),
  builtTransactionLimit: z
    .int()
    .positive()
    .default(10_000)
    .describe('Maximum number of built transactions that the service stores'),
})

export type DidRegistryConfig = z.infer<typeof zDidRegistryConfig>
