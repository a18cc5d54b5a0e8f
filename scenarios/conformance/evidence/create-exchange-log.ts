import type { Hop } from '#scenarios/harness/z-hop.ts'

/** One exchange as whoever took part saw it; the log numbers it. */
export type Exchange = Omit<Hop, 'id' | 'at' | 'kind'> & { readonly kind?: string }

/** What the kit sent and received, in order. */
export interface ExchangeLog {
  add(exchange: Exchange): void
  /** The exchanges since it was last called; the log forgets them. */
  take(): readonly Hop[]
  /** A fetch whose exchanges are recorded as those of one part with another. */
  fetchAs(from: string, to: string, fetch?: typeof globalThis.fetch): typeof globalThis.fetch
}

/** Begins a log of what the kit sends and receives. */
export function createExchangeLog(): ExchangeLog {
  let hops: Hop[] = []
  let lastId = 0
  const add: ExchangeLog['add'] = ({ kind = 'http', ...exchange }) => {
    lastId++
    hops.push({ id: lastId, at: Date.now(), kind, ...exchange })
  }
  return {
    add,
    take() {
      const taken = hops
      hops = []
      return taken
    },
    fetchAs:
      (from, to, fetch = globalThis.fetch) =>
      async (input, init) => {
        const began = performance.now()
        const request = new Request(input, init)
        const sent = await request.clone().text()
        const response = await fetch(input, init)
        const body = await response.clone().text()
        add({
          from,
          to,
          method: request.method,
          url: request.url,
          status: response.status,
          durationMilliseconds: performance.now() - began,
          requestHeaders: Object.fromEntries(request.headers),
          requestBody: sent,
          responseHeaders: Object.fromEntries(response.headers),
          responseBody: body,
        })
        return response
      },
  }
}
