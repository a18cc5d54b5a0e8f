import { endCheck, inconclusive } from '../../kit/check.ts'
import type { CallVerbOptions } from '../../targets/adapters/call-verb.ts'
import { callVerb } from '../../targets/adapters/call-verb.ts'
import type { Verb } from '../../targets/adapters/z-verb.ts'

/**
 * Pauses the mining of the chain below a registry, for checks on transactions that are not mined.
 */
export interface MiningControl {
  /** Stops mining. */
  hold(): Promise<void>
  /** Mines pending transactions and resumes mining. */
  mine(): Promise<void>
}

/** Calls a verb that controls the target's chain; if it fails, the check is inconclusive. */
export async function callControlVerb(
  verb: Verb,
  name: string,
  options: CallVerbOptions,
): Promise<void> {
  const { outcome, reason, source } = await callVerb(verb, name, {}, options)
  if (outcome !== 'done') endCheck(inconclusive(reason, { verdictSource: source }))
}

/** The verbs of a target that pause and resume its chain. */
export interface MiningVerbs {
  readonly 'hold-mining'?: Verb | undefined
  readonly mine?: Verb | undefined
}

/** Undefined if the target lacks one of the two. */
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

/** Remembers whether mining is paused, so that it is resumed only then. */
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
