/**
 * The chain node as a separate process, started by ../start-chain-process.ts. It is reachable only
 * through the gateway's port and the channel to the parent; it ends when that channel closes.
 */
import { sendToParent, serveParent } from '../../process/serve-parent.ts'
import { type ChainNodeConfig, createChainNode } from '../create-chain-node.ts'
import type { ChainCommand, ChainReady, ReplayProgress } from '../start-chain-process.ts'

await serveParent<ChainCommand>('chain_failed', async () => {
  const config = JSON.parse(process.argv[2] ?? '{}') as ChainNodeConfig
  const node = await createChainNode(config, (progress: ReplayProgress) => sendToParent(progress))
  const ready: ChainReady = { port: node.port, cutBytes: node.cutBytes }
  return {
    ready,
    run(message) {
      switch (message.command) {
        case 'mine':
          return node.mine()
        case 'readMining':
          return node.mining
        case 'send':
          return node.sendRawTransactions(message.raws)
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
