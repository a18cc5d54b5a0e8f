import type { Hop, TraceSink } from '#kit/traces.ts'

/** A hop on its way to where it gets its number. */
export interface RelayedHop {
  readonly hop: Omit<Hop, 'id'>
  readonly bodyBytes: number
}

/** Traces that are kept elsewhere. */
export interface HopRelay extends TraceSink {
  /** Hands on what has been recorded, now. */
  flush(): void
}

const pauseMilliseconds = 50

/** Hands hops on in portions: soon, or when somebody asks for them. */
export function createHopRelay(handOn: (hops: readonly RelayedHop[]) => void): HopRelay {
  let recorded: (() => RelayedHop)[] = []
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
    record(describe, bodyBytes) {
      recorded.push(() => ({ hop: describe(), bodyBytes }))
      timer ??= setTimeout(flush, pauseMilliseconds)
    },
    flush,
  }
}
