/**
 * The chain node as a process of its own, started by ../start-chain-process.ts. Only the gateway's
 * port and the channel to the parent lead into it; it ends when that channel does.
 */
import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { ChainCommand, ChainFailure, ChainReport } from '../chain-process-messages.ts'
import { type ChainNodeConfig, createChainNode } from '../create-chain-node.ts'

process.env.HARDHAT_DISABLE_TELEMETRY_PROMPT ??= 'true'

// The parent may be gone already: then nobody listens.
const report = (message: ChainReport, then = () => {}) => process.send?.(message, then)

function failureOf(thrown: unknown): ChainFailure {
  if (isTestbedError(thrown)) {
    const { code, message, hints, extra } = thrown
    return { code, message, hints, extra }
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return {
    code: 'chain_failed',
    message: `The chain node failed: ${message}`,
    hints: [],
    extra: {},
  }
}

process.on('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole group; the parent stops its services before it lets go of the chain.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

try {
  const node = await createChainNode(JSON.parse(process.argv[2] ?? '{}') as ChainNodeConfig)
  const run = async (message: ChainCommand): Promise<unknown> => {
    switch (message.command) {
      case 'mine':
        return node.mine()
      case 'setMining':
        return node.setMining(message.mode)
      case 'setClockOffset':
        return node.setClockOffset(message.milliseconds)
      case 'save':
      case 'restore':
      case 'forget':
        return node[message.command](message.name)
      case 'close':
        return node.close()
    }
  }
  process.on('message', (message: ChainCommand) => {
    run(message).then(
      (result = null) => report({ id: message.id, result }),
      (thrown) => report({ id: message.id, failed: failureOf(thrown) }),
    )
  })
  report({ serving: { port: node.port, cutBytes: node.cutBytes } })
} catch (thrown) {
  report({ failed: failureOf(thrown) }, () => process.exit(1))
}
