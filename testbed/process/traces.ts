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

/** About 4600 hops. All 14,000 of a run of all suites would use 30 MiB more. */
const defaultCapacity = 12 * 1024 * 1024

/** The size of a hop without its bodies: address, headers, verdicts, and their objects. */
const bytesBesideBodies = 1024

/**
 * Keeps the last hops in memory: as many as fit into `capacity` bytes, at least one. Ids count up
 * from 1.
 */
export function createTraceBuffer(capacity = defaultCapacity): TraceBuffer {
  const kept = new Map<number, { readonly read: () => Hop; readonly bytes: number }>()
  const listeners = new Set<(hop: Hop) => void>()
  let notifyFollowed = (_isFollowed: boolean) => {}
  let oldest = 1
  let last = 0
  let weight = 0
  return {
    enabled: true,
    record(describe, bodyBytes) {
      last += 1
      const bytes = bodyBytes + bytesBesideBodies
      const read = describeOnce(last, describe)
      kept.set(last, { read, bytes })
      weight += bytes
      for (; weight > capacity && oldest < last; oldest++) {
        weight -= kept.get(oldest)?.bytes ?? 0
        kept.delete(oldest)
      }
      if (listeners.size === 0) return
      const hop = read()
      for (const listener of listeners) listener(hop)
    },
    since(id) {
      const found: Hop[] = []
      for (let number = Math.max(Math.trunc(id) + 1, oldest); number <= last; number++) {
        const hop = kept.get(number)
        if (hop !== undefined) found.push(hop.read())
      }
      return found
    },
    subscribe(listener) {
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
  record: (describe, bodyBytes) => traces.record(() => ({ ...describe(), environment }), bodyBytes),
})

/** A hop before it has a number. */
export interface RelayedHop {
  readonly hop: Omit<Hop, 'id'>
  readonly bodyBytes: number
}

/** Traces that are kept in another process. */
export interface HopRelay extends TraceSink {
  /** Forwards the recorded hops immediately. */
  flush(): void
  /** Forwards hops soon after they are recorded; otherwise only on request. */
  follow(isFollowed: boolean): void
}

const pauseMilliseconds = 50
/** About 1100 hops that were not requested yet. */
const relayCapacity = 3 * 1024 * 1024

/** Keeps hops until they are requested, or forwards them in batches. */
export function createHopRelay(
  forward: (hops: readonly RelayedHop[]) => void,
  capacity = relayCapacity,
): HopRelay {
  let recorded: { readonly describe: () => RelayedHop['hop']; readonly bodyBytes: number }[] = []
  let weight = 0
  let isFollowed = false
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (recorded.length === 0) return
    const hops = recorded.map(({ describe, bodyBytes }) => ({ hop: describe(), bodyBytes }))
    recorded = []
    weight = 0
    forward(hops)
  }
  return {
    enabled: true,
    record(describe, bodyBytes) {
      recorded.push({ describe, bodyBytes })
      weight += bodyBytes + bytesBesideBodies
      while (weight > capacity && recorded.length > 1) {
        weight -= (recorded.shift()?.bodyBytes ?? 0) + bytesBesideBodies
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
