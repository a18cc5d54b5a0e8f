/** The chain node alone, as a container runs it. SIGTERM and SIGINT end it. */
import { loadConfig } from '#kit/load-config.ts'
import { zChainConfig } from './config.ts'
import { createChainNode } from './create-chain-node.ts'

process.env.HARDHAT_DISABLE_TELEMETRY_PROMPT ??= 'true'

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
  process.exit(3)
}
