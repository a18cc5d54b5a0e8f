import { endCheck, inconclusive } from '../../kit/check.ts'
import type { CallVerbOptions } from '../../targets/adapters/call-verb.ts'
import { callVerb } from '../../targets/adapters/call-verb.ts'
import type { Verb } from '../../targets/adapters/z-verb.ts'

/** Whoever can hold the chain below a registry: the way to what is sent and not mined yet. */
export interface MiningControl {
  /** From now on no transaction is mined. */
  hold(): Promise<void>
  /** Mines what waits, and from now on whatever comes. */
  mine(): Promise<void>
}

/** Has the target do something to its chain; where it does not, the check can't be decided. */
export async function callControlVerb(
  verb: Verb,
  name: string,
  options: CallVerbOptions,
): Promise<void> {
  const { outcome, reason, source } = await callVerb(verb, name, {}, options)
  if (outcome !== 'done') endCheck(inconclusive(reason, { verdictSource: source }))
}

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

/** Remembers whether the chain is held: one that is not is not asked to go on. */
export function createHeldMining(control: MiningControl | undefined): MiningControl {
  let isHeld = false
  return {
    async hold() {
      isHeld = true
      await control?.hold()
    },
    async mine() {
      if (!isHeld) return
      await control?.mine()
      isHeld = false
    },
  }
}
