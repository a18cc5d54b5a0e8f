/**
 * A chain node with the services that read it most, in one process: their calls need no connection,
 * and the other services have a core to themselves. ../host-services.ts starts it.
 */
import { createChainNode } from '../../chain/create-chain-node.ts'
import { runChainCommand } from '../../chain/process/run-chain-command.ts'
import { installMovableClock } from '../../process/clock.ts'
import { createLocalUrl } from '../../process/public-url.ts'
import { type Served, sendToParent, serveParent } from '../../process/serve-parent.ts'
import type {
  ChainAndServicesCommand,
  ChainAndServicesReady,
  ChainAndServicesStart,
} from '../host-services.ts'
import { partsBesideChain } from '../prepare-processes.ts'

async function start({
  chain,
  services: starts,
}: ChainAndServicesStart): Promise<Served<ChainAndServicesCommand>> {
  // It moves `Date`, which the chain's own clock reads as well.
  const clock = installMovableClock()
  clock.moveTo(chain.clockOffset)
  const creating = createChainNode({ ...chain, clockOffset: 0 }, sendToParent)
  creating.catch(() => {})
  // While the engine works in other threads.
  const { runServices } = await import('./run-services.ts')
  const node = await creating
  const rpcUrl = createLocalUrl(chain.host)(node.port)
  const services = await runServices(starts, { localChain: { rpcUrl, answer: node.answer } })
  const ready: ChainAndServicesReady = {
    port: node.port,
    cutBytes: node.cutBytes,
    services: services.ready,
  }
  return {
    ready,
    run(message) {
      if (message.command === 'services') return services.run(message.message)
      if (message.command !== 'setClockOffset') return runChainCommand(node, message)
      clock.moveTo(message.milliseconds)
      return node.setClockOffset(0)
    },
  }
}

await serveParent('chain_failed', start, async () => {
  const { loadService } = await import('../compose-services.ts')
  await Promise.all([import('./run-services.ts'), ...partsBesideChain.map(loadService)])
})
