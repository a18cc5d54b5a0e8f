import type { Hop, TraceSink } from '#kit/traces.ts'

/** The last hops that passed between the parts, and whoever wants to hear of new ones. */
export interface TraceBuffer extends TraceSink {
  /** Hops with an id above `id`, oldest first. */
  since(id: number): readonly Hop[]
  /** Calls `listener` with each new hop until the returned function is called. */
  subscribe(listener: (hop: Hop) => void): () => void
}

/** Keeps the last `capacity` hops in memory. Ids count up from 1. */
export function createTraceBuffer(capacity = 20_000): TraceBuffer {
  const ring: Hop[] = []
  const listeners = new Set<(hop: Hop) => void>()
  let last = 0
  return {
    enabled: true,
    record(recorded) {
      last += 1
      const hop: Hop = { id: last, ...recorded }
      ring[(last - 1) % capacity] = hop
      for (const listener of listeners) listener(hop)
    },
    since(id) {
      const oldest = Math.max(last - capacity, 0)
      const first = Math.max(Math.trunc(id), oldest) + 1
      const found: Hop[] = []
      for (let number = first; number <= last; number++) {
        const hop = ring[(number - 1) % capacity]
        if (hop !== undefined) found.push(hop)
      }
      return found
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
