/**
 * The chain node as a process of its own, started by ../start-chain-process.ts. Only the gateway's
 * port and the channel to the parent lead into it; it ends when that channel does.
 */
import { serveParent } from '../../process/serve-parent.ts'
import { type ChainNodeConfig, createChainNode } from '../create-chain-node.ts'
import type { ChainCommand, ChainReady } from '../start-chain-process.ts'

process.env.HARDHAT_DISABLE_TELEMETRY_PROMPT ??= 'true'

await serveParent<ChainCommand>('chain_failed', async () => {
  const node = await createChainNode(JSON.parse(process.argv[2] ?? '{}') as ChainNodeConfig)
  const ready: ChainReady = { port: node.port, cutBytes: node.cutBytes }
  return {
    ready,
    run(message) {
      switch (message.command) {
        case 'mine':
          return node.mine()
        case 'send':
          return node.sendRawTransaction(message.raw)
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
    },
  }
})
