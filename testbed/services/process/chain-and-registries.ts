/**
 * A chain node with the services that read it most, in one process: their calls need no connection,
 * and the other services have a core to themselves. ../host-services.ts starts it.
 */
import { createChainNode } from '#testbed/chain/create-chain-node.ts'
import { runChainCommand } from '#testbed/chain/process/run-chain-command.ts'
import { installMovableClock } from '#testbed/process/clock.ts'
import { createLocalUrl } from '#testbed/process/listen.ts'
import { type Served, sendToParent, serveParent } from '#testbed/process/serve-parent.ts'
import type {
  ChainAndServicesCommand,
  ChainAndServicesListening,
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
  const opening = Promise.withResolvers<number>()
  const creating = createChainNode(
    { ...chain, clockOffset: 0 },
    { onListening: opening.resolve, onReplay: sendToParent },
  )
  creating.catch(opening.reject)
  const { runServices } = await import('./run-services.ts')
  const port = await opening.promise
  const rpcUrl = createLocalUrl(chain.host)(port)
  const answer = async (message: unknown) => (await creating).answer(message)
  const services = await runServices(starts, { localChain: { rpcUrl, answer } })
  // The parent creates its services while this process replays the journal.
  const listening: ChainAndServicesListening = { port, services: services.ready }
  sendToParent(listening)
  const node = await creating
  const { cutBytes } = node
  return {
    ready: { cutBytes },
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
