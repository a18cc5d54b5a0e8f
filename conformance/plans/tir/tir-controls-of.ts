import type { OpenPlanOptions } from '../../kit/plan.ts'
import { callControlVerb, type MiningControl, miningOfVerbs } from '../registries/mining.ts'
import type { TirTarget } from './z-target.ts'

/** What the kit does to the chain below a TIR, where it can. */
export interface TirControls {
  readonly mining?: MiningControl | undefined
  readonly setChainOutage?: ((isOut: boolean) => Promise<void>) | undefined
}

/** The controls that the verbs of a target give. */
export function tirControlsOf(
  { adapter = {} }: Pick<TirTarget, 'adapter'>,
  { exchanges, signal }: OpenPlanOptions,
): TirControls {
  const options = { exchanges, signal }
  const { 'stop-chain': stop, 'start-chain': start } = adapter
  const mining = miningOfVerbs(adapter, options)
  if (stop === undefined || start === undefined) return { mining }
  return {
    mining,
    setChainOutage: (isOut) =>
      isOut
        ? callControlVerb(stop, 'stop-chain', options)
        : callControlVerb(start, 'start-chain', options),
  }
}
