import { z } from 'zod'
import { zAddress } from '#core/ethereum/z-hex.ts'
import { zBaseUrl } from '#kit/z-fields.ts'

/** Configuration of the TIR API. */
export const zTirConfig = z.object({
  environment: z.enum(['pre', 'pro']).default('pre').describe('Which DID prefix the DIDs have'),
  baseUrl: zBaseUrl.describe(
    'Public address of this service, without the path /trusted-issuers-registry',
  ),
  chainRpcUrl: z.url().describe('JSON-RPC address of the chain node'),
  tirAddress: zAddress.describe('Address of the contract TrustedIssuersRegistry'),
  apiKeysUrl: zBaseUrl.describe('Address of the API key service'),
  apiKeyScope: z.string().min(1).default('tir').describe('Scope that a key has to have'),
  explorerFirstBlock: z
    .int()
    .min(0)
    .default(0)
    .describe('Block in which the contract was deployed: the explorer reads its events from there'),
  gasLimitCeiling: z
    .int()
    .positive()
    .default(15_000_000)
    .describe('Gas limit of a built transaction whose estimate reverts'),
})

export type TirConfig = z.infer<typeof zTirConfig>
