/**
 * The chain node as a separate process, started by ../start-chain-process.ts. It is reachable only
 * through the gateway's port and the channel to the parent; it ends when that channel closes.
 */
import { sendToParent, serveParent } from '#testbed/process/serve-parent.ts'
import { type ChainNodeConfig, createChainNode } from '../create-chain-node.ts'
import type { ChainCommand } from '../start-chain-process.ts'
import { runChainCommand } from './run-chain-command.ts'

await serveParent<ChainCommand, ChainNodeConfig>('chain_failed', async (config) => {
  const onListening = (port: number) => sendToParent({ port })
  const node = await createChainNode(config, { onListening, onReplay: sendToParent })
  const { cutBytes } = node
  return { ready: { cutBytes }, run: (message) => runChainCommand(node, message) }
})
