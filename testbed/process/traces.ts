import type { Hop, TraceSink } from '#kit/traces.ts'

/** The last hops between the parts, and the listeners for new hops. */
export interface TraceBuffer extends TraceSink {
  /** Hops with an id above `id`, oldest first. */
  since(id: number): readonly Hop[]
  /** Calls `listener` with each new hop until the returned function is called. */
  subscribe(listener: (hop: Hop) => void): () => void
  /** Calls `notify` when the first listener subscribes, and when the last one leaves. */
  onFollowed(notify: (isFollowed: boolean) => void): void
}

function describeOnce(id: number, describe: () => Omit<Hop, 'id'>): () => Hop {
  let pending: typeof describe | undefined = describe
  let hop: Hop | undefined
  return () => {
    // It may be a slice of a larger string, which this releases.
    if (pending !== undefined) hop = { id, ...pending() }
    pending = undefined
    return hop as Hop
  }
}

/** About 4200 hops. All 14,000 of a run of all suites would use 30 MiB more. */
const defaultCapacity = 12 * 1024 * 1024

/** The size of the rest of a hop: its names, verdicts, and their objects. */
const bytesBesides = 1024

/** Unix milliseconds of the machine, which a moved clock does not change. */
const readMachineTime = () => performance.timeOrigin + performance.now()

/**
 * Keeps the last hops in memory: as many as fit into `capacity` bytes, at least one. Ids count up
 * from 1. Hops get them when a reader fetches or follows them, in the order in which the exchanges
 * ended: those of other processes arrive later.
 */
export function createTraceBuffer(capacity = defaultCapacity): TraceBuffer {
  const kept = new Map<number, { readonly read: () => Hop; readonly bytes: number }>()
  const listeners = new Set<(hop: Hop) => void>()
  let notifyFollowed = (_isFollowed: boolean) => {}
  let unnumbered: { describe: () => Omit<Hop, 'id'>; bytes: number; endedAt: number }[] = []
  let last = 0
  let weight = 0

  function numberHops(): void {
    unnumbered.sort((one, other) => one.endedAt - other.endedAt)
    for (const { describe, bytes } of unnumbered) {
      last += 1
      kept.set(last, { read: describeOnce(last, describe), bytes })
    }
    unnumbered = []
  }

  function dropOldest(): void {
    const [[id, oldest] = []] = kept
    if (id === undefined) last += 1
    else kept.delete(id)
    weight -= (oldest ?? unnumbered.shift())?.bytes ?? 0
  }

  return {
    enabled: true,
    record(describe, ownBytes, endedAt = readMachineTime()) {
      const bytes = ownBytes + bytesBesides
      unnumbered.push({ describe, bytes, endedAt })
      weight += bytes
      while (weight > capacity && kept.size + unnumbered.length > 1) dropOldest()
      if (listeners.size === 0) return
      numberHops()
      const hop = kept.get(last)?.read()
      for (const listener of listeners) if (hop) listener(hop)
    },
    since(id) {
      numberHops()
      const found: Hop[] = []
      for (let number = Math.max(Math.trunc(id), last - kept.size) + 1; number <= last; number++) {
        const hop = kept.get(number)
        if (hop !== undefined) found.push(hop.read())
      }
      return found
    },
    subscribe(listener) {
      numberHops()
      listeners.add(listener)
      if (listeners.size === 1) notifyFollowed(true)
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) notifyFollowed(false)
      }
    },
    onFollowed(notify) {
      notifyFollowed = notify
    },
  }
}

/** The same traces, for parts of one environment: their hops name it. */
export const tracesOf = (traces: TraceSink, environment: string): TraceSink => ({
  enabled: traces.enabled,
  record: (describe, ...others) => traces.record(() => ({ ...describe(), environment }), ...others),
})

/** A hop before it has a number. */
export interface RelayedHop {
  readonly hop: Omit<Hop, 'id'>
  readonly bytes: number
  readonly endedAt: number
}

/** Traces that are kept in another process. */
export interface HopRelay extends TraceSink {
  /** Forwards the recorded hops immediately. */
  flush(): void
  /** Forwards hops soon after they are recorded; otherwise only on request. */
  follow(isFollowed: boolean): void
}

const pauseMilliseconds = 50
/** About 1000 hops that were not requested yet. */
const relayCapacity = 3 * 1024 * 1024

/** Keeps hops until they are requested, or forwards them in batches. */
export function createHopRelay(
  forward: (hops: readonly RelayedHop[]) => void,
  capacity = relayCapacity,
): HopRelay {
  let recorded: (Omit<RelayedHop, 'hop'> & { readonly describe: () => RelayedHop['hop'] })[] = []
  let weight = 0
  let isFollowed = false
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (recorded.length === 0) return
    const hops = recorded.map(({ describe, ...others }) => ({ hop: describe(), ...others }))
    recorded = []
    weight = 0
    forward(hops)
  }
  return {
    enabled: true,
    record(describe, bytes, endedAt = readMachineTime()) {
      recorded.push({ describe, bytes, endedAt })
      weight += bytes + bytesBesides
      while (weight > capacity && recorded.length > 1) {
        weight -= (recorded.shift()?.bytes ?? 0) + bytesBesides
      }
      if (isFollowed) timer ??= setTimeout(flush, pauseMilliseconds)
    },
    flush,
    follow(next) {
      isFollowed = next
      flush()
    },
  }
}
