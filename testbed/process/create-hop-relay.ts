import type { Hop, TraceSink } from '#kit/traces.ts'

export type UnnumberedHop = Omit<Hop, 'id'>

/** Traces that are kept elsewhere. */
export interface HopRelay extends TraceSink {
  /** Hands on what has been recorded, now. */
  flush(): void
}

const pauseMilliseconds = 50

/** Hands hops on in portions: soon, or when somebody asks for them. */
export function createHopRelay(handOn: (hops: readonly UnnumberedHop[]) => void): HopRelay {
  let recorded: (() => UnnumberedHop)[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (recorded.length === 0) return
    const hops = recorded.map((describe) => describe())
    recorded = []
    handOn(hops)
  }
  return {
    enabled: true,
    record(describe) {
      recorded.push(describe)
      timer ??= setTimeout(flush, pauseMilliseconds)
    },
    flush,
  }
}
