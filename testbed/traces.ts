import type { Hop, TraceSink } from '#kit/traces.ts'

/** The last hops that passed between the parts, and whoever wants to hear of new ones. */
export interface TraceBuffer extends TraceSink {
  /** Hops with an id above `id`, oldest first. */
  since(id: number): readonly Hop[]
  /** Calls `listener` with each new hop until the returned function is called. */
  subscribe(listener: (hop: Hop) => void): () => void
}

function describeOnce(id: number, describe: () => Omit<Hop, 'id'>): () => Hop {
  let pending: typeof describe | undefined = describe
  let hop: Hop | undefined
  return () => {
    // What it was made from may be larger than itself, and is let go of.
    if (pending !== undefined) hop = { id, ...pending() }
    pending = undefined
    return hop as Hop
  }
}

/** Keeps the last `capacity` hops in memory. Ids count up from 1. */
export function createTraceBuffer(capacity = 20_000): TraceBuffer {
  const ring: (() => Hop)[] = []
  const listeners = new Set<(hop: Hop) => void>()
  let last = 0
  return {
    enabled: true,
    record(describe) {
      last += 1
      const read = describeOnce(last, describe)
      ring[(last - 1) % capacity] = read
      if (listeners.size === 0) return
      const hop = read()
      for (const listener of listeners) listener(hop)
    },
    since(id) {
      const oldest = Math.max(last - capacity, 0)
      const first = Math.max(Math.trunc(id), oldest) + 1
      const found: Hop[] = []
      for (let number = first; number <= last; number++) {
        const read = ring[(number - 1) % capacity]
        if (read !== undefined) found.push(read())
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
