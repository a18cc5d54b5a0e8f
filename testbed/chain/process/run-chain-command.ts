import type { ChainNodeServer } from '../create-chain-node.ts'
import type { ChainCommand } from '../start-chain-process.ts'

/** Executes a command of the parent on the chain node of this process. */
export function runChainCommand(node: ChainNodeServer, message: ChainCommand): unknown {
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
}
