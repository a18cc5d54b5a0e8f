import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { zAddress } from '#core/ethereum/account.ts'
import { loadConfig } from '#kit/load-config.ts'
import { splitHosts } from '#kit/origins.ts'
import { zHosts } from '#kit/z-fields.ts'
import { createChainNode } from './create-chain-node.ts'

/** Configuration of a standalone chain node, from environment variables. */
const zChainConfig = z
  .object({
    host: z.string().default('127.0.0.1').describe('Address to listen on.'),
    port: z.int().min(0).max(65535).default(4001).describe('Port to listen on.'),
    chainId: z.int().positive().default(20261).describe('EIP-155 chain id.'),
    journalPath: z
      .string()
      .optional()
      .describe('Journal file of the chain; without it, the chain is kept in memory only.'),
    mining: z
      .union([z.enum(['auto', 'manual']), z.int().positive()])
      .default('auto')
      .describe('auto, manual, or a number of milliseconds.'),
    registries: z
      .string()
      .transform(splitHosts)
      .pipe(z.array(zAddress))
      .default([])
      .describe('Addresses that accept transactions, separated by commas.'),
    openRpc: z
      .boolean()
      .default(false)
      .describe('Whether the node accepts every transaction, including contract creation.'),
    allowedHosts: zHosts.describe('Additional host names of the node, separated by commas.'),
  })
  .refine(({ registries, openRpc }) => openRpc || registries.length > 0, {
    path: ['registries'],
    message: 'is required unless OPEN_RPC is true',
  })

/**
 * Runs only the chain node, as in a container. SIGTERM and SIGINT end it. Exits with code 2 if the
 * configuration is invalid, 3 if the node cannot start.
 */
try {
  const config = loadConfig(zChainConfig, process.env)
  const node = await createChainNode({ ...config, clockOffset: 0 })
  process.stderr.write(`chain ${config.chainId} on port ${node.port}\n`)
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    node.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(isTestbedError(error) && error.code === 'invalid_configuration' ? 2 : 3)
}
