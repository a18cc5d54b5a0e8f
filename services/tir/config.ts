import { z } from 'zod'
import { zAddress } from '#core/ethereum/account.ts'
import { zExplorerFirstBlock, zGasLimitCeiling, zRegistryEnvironment } from '#kit/defaults.ts'
import { zBaseUrl } from '#kit/z-fields.ts'

/** Configuration of the TIR API. */
export const zTirConfig = z.object({
  environment: zRegistryEnvironment,
  baseUrl: zBaseUrl.describe(
    'Public address of this service, without the path /trusted-issuers-registry',
  ),
  chainRpcUrl: z.url().describe('JSON-RPC address of the chain node'),
  tirAddress: zAddress.describe('Address of the contract TrustedIssuersRegistry'),
  apiKeysUrl: zBaseUrl.describe('Address of the API key service'),
  apiKeyScope: z.string().min(1).default('tir').describe('Required scope of a key'),
  explorerFirstBlock: zExplorerFirstBlock,
  gasLimitCeiling: zGasLimitCeiling,
})

export type TirConfig = z.infer<typeof zTirConfig>
