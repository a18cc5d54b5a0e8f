import type { ControlClient } from './control-client.ts'
import type { ChainView } from './create-chain-view.ts'

/**
 * By how many seconds a chain is ahead of the testbed's clock; negative where it is behind, as it
 * usually is. The clock can be put back, the time of a chain can't.
 */
export async function readChainLead(
  chain: Pick<ChainView, 'readLatest'>,
  control: Pick<ControlClient, 'readClock'>,
): Promise<number> {
  const { timestamp } = await chain.readLatest()
  return timestamp - (await control.readClock())
}
