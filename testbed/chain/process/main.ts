/**
 * The chain node as a separate process, started by ../start-chain-process.ts. It is reachable only
 * through the gateway's port and the channel to the parent; it ends when that channel closes.
 */
import { sendToParent, serveParent } from '../../process/serve-parent.ts'
import { createChainNode } from '../create-chain-node.ts'
import type { ChainCommand } from '../start-chain-process.ts'
import { runChainCommand } from './run-chain-command.ts'

await serveParent<ChainCommand>('chain_failed', async () => {
  const node = await createChainNode(JSON.parse(process.argv[2] ?? '{}'), sendToParent)
  const { port, cutBytes } = node
  return { ready: { port, cutBytes }, run: (message) => runChainCommand(node, message) }
})
