import type { CallVerbOptions } from '../../targets/adapters/call-command.ts'
import type { Verb } from '../../targets/adapters/z-verb.ts'
import { callControlVerb } from './call-control-verb.ts'
import type { MiningControl } from './mining-control.ts'

/** The verbs of a target by which the kit holds its chain. */
export interface MiningVerbs {
  readonly 'hold-mining'?: Verb | undefined
  readonly mine?: Verb | undefined
}

/** Undefined where the target lacks one of the two. */
export function miningOfVerbs(
  { 'hold-mining': hold, mine }: MiningVerbs,
  options: CallVerbOptions,
): MiningControl | undefined {
  if (hold === undefined || mine === undefined) return undefined
  return {
    hold: () => callControlVerb(hold, 'hold-mining', options),
    mine: () => callControlVerb(mine, 'mine', options),
  }
}
