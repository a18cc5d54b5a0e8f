import { z } from 'zod'
import { zAddress } from '#core/ethereum/hex.ts'
import { splitHosts } from '#kit/origins.ts'

/** Configuration of a chain node that runs alone, from environment variables. */
export const zChainConfig = z
  .object({
    host: z.string().default('127.0.0.1').describe('Address to listen on.'),
    port: z.int().min(0).max(65535).default(4001).describe('Port to listen on.'),
    chainId: z.int().positive().default(20261).describe('EIP-155 chain id.'),
    journalPath: z.string().optional().describe('File with the chain; in memory only where unset.'),
    mining: z
      .union([z.enum(['auto', 'manual']), z.int().positive()])
      .default('auto')
      .describe('auto, manual, or a number of milliseconds.'),
    registries: z
      .string()
      .transform(splitHosts)
      .pipe(z.array(zAddress))
      .default([])
      .describe('Addresses that it accepts transactions to, separated by commas.'),
    openRpc: z
      .boolean()
      .default(false)
      .describe('Whether it accepts every transaction, contract creation included.'),
    allowedHosts: z
      .string()
      .transform(splitHosts)
      .default([])
      .describe('Further host names by which clients reach it, separated by commas.'),
  })
  .refine(({ registries, openRpc }) => openRpc || registries.length > 0, {
    path: ['registries'],
    message: 'is required unless OPEN_RPC is true',
  })
