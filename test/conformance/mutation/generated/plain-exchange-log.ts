import type { Exchange, ExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'

/**
 * A log without evidence: no report is written about a mutant, and masking takes a fifth of the
 * time of a plan. It only keeps whether the part answers.
 */
export function createPlainExchangeLog(): ExchangeLog {
  let exchanges: Exchange[] = []
  let lastId = 0
  const add: ExchangeLog['add'] = ({ kind = 'http', responseBody, ...exchange }) => {
    const { from, to, method, url, status, durationMilliseconds } = exchange
    // A call of a wallet has no status: its end shows that the wallet answers.
    const end = kind === 'command' ? { responseBody } : {}
    exchanges.push({ kind, from, to, method, url, status, durationMilliseconds, ...end })
  }
  return {
    add,
    attach: () => undefined,
    takeAttachments: () => [],
    leftOut: 0,
    take() {
      const taken = exchanges
      exchanges = []
      return taken.map((exchange) => ({ id: ++lastId, at: 0, kind: 'http', ...exchange }))
    },
    fetchAs:
      (from, to, fetch = globalThis.fetch) =>
      async (input, init) => {
        const began = performance.now()
        const { method, url } = new Request(input instanceof Request ? input.clone() : input, init)
        const note = (status: number) =>
          add({ from, to, method, url, status, durationMilliseconds: performance.now() - began })
        try {
          const response = await fetch(input, init)
          note(response.status)
          return response
        } catch (error) {
          note(0)
          throw error
        }
      },
    hide: () => undefined,
    mask: (value) => value,
  }
}
