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
async function callControlVerb(verb: Verb, name: string, options: CallVerbOptions): Promise<void> {
  const { outcome, reason, source } = await callVerb(verb, name, {}, options)
  if (outcome !== 'done') endCheck(inconclusive(reason, { verdictSource: source }))
}

/** The verbs of a target that control its chain and its API key service. */
export interface ChainVerbs {
  readonly 'hold-mining'?: Verb | undefined
  readonly mine?: Verb | undefined
  readonly 'stop-chain'?: Verb | undefined
  readonly 'start-chain'?: Verb | undefined
  readonly 'stop-api-keys'?: Verb | undefined
  readonly 'start-api-keys'?: Verb | undefined
}

/** Disconnects a registry from something, and reconnects it. */
export type SetOutage = (isOut: boolean) => Promise<void>

/** The kit's control of what a registry depends on, if it has any. */
export interface ChainControls {
  readonly mining?: MiningControl | undefined
  readonly setChainOutage?: SetOutage | undefined
  /** Of the service that validates the API keys of a TIR. */
  readonly setApiKeysOutage?: SetOutage | undefined
}

/** The controls that the verbs of a target provide; each of them needs two verbs. */
export function chainControlsOf(
  verbs: ChainVerbs,
  { exchanges, signal }: Pick<CallVerbOptions, 'exchanges' | 'signal'>,
): ChainControls {
  const { 'hold-mining': hold, mine } = verbs
  const call = (verb: Verb, name: keyof ChainVerbs) =>
    callControlVerb(verb, name, { exchanges, signal })
  const outageOf = (stopName: keyof ChainVerbs, startName: keyof ChainVerbs) => {
    const [stop, start] = [verbs[stopName], verbs[startName]]
    if (!stop || !start) return undefined
    return (isOut: boolean) => (isOut ? call(stop, stopName) : call(start, startName))
  }
  return {
    ...(hold &&
      mine && {
        mining: { hold: () => call(hold, 'hold-mining'), mine: () => call(mine, 'mine') },
      }),
    setChainOutage: outageOf('stop-chain', 'start-chain'),
    setApiKeysOutage: outageOf('stop-api-keys', 'start-api-keys'),
  }
}

/** Remembers whether there is an outage, so that it is ended only then. */
export function createHeldOutage(control: SetOutage | undefined): SetOutage {
  let isOut = false
  return async (out) => {
    if (out) isOut = true
    else if (!isOut) return
    await control?.(out)
    isOut = out
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
