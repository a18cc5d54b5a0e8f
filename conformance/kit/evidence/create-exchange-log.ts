import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import { boundBody } from './bound-body.ts'
import { findSecrets, type Secret } from './find-secrets.ts'
import { createMask, type Mask, maskExchange } from './mask-exchange.ts'
import { readAtMost } from './read-at-most.ts'

/** One exchange as whoever took part saw it; the log numbers it. */
export type Exchange = Omit<Hop, 'id' | 'at' | 'kind'> & { readonly kind?: string }

/** What the kit sent and received, in the order in which it began. */
export interface ExchangeLog {
  /** Takes an exchange as it was, secrets and all. Bodies are text, or what JSON and forms hold. */
  add(exchange: Exchange): void
  /** The exchanges since it was last called, fit for reports; the log forgets them. */
  take(): readonly Hop[]
  /** A fetch whose exchanges are recorded as those of one part with another. */
  fetchAs(from: string, to: string, fetch?: typeof globalThis.fetch): typeof globalThis.fetch
  /** Has values told nowhere that the operator gave: API keys, passwords. */
  hide(...values: readonly string[]): void
  /** Masks a text or value that tells of the exchanges at hand, or of those taken last. */
  readonly mask: Mask
}

const contentTypeOf = (headers: Readonly<Record<string, string>> = {}) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]

/** Bodies decoded and bounded. */
function boundExchange({ requestBody, responseBody, ...exchange }: Exchange): Exchange {
  const sent = boundBody(requestBody, contentTypeOf(exchange.requestHeaders))
  const received = boundBody(responseBody, contentTypeOf(exchange.responseHeaders))
  return {
    ...exchange,
    ...(sent === undefined ? {} : { requestBody: sent }),
    ...(received === undefined ? {} : { responseBody: received }),
  }
}

/** Begins a log of what the kit sends and receives. */
export function createExchangeLog(): ExchangeLog {
  let hops: Omit<Hop, 'id'>[] = []
  let lastId = 0
  let secrets: Secret[] = []
  let taken: Secret[] = []
  const hidden: Secret[] = []
  const add: ExchangeLog['add'] = (exchange) => {
    const { kind = 'http', ...bounded } = boundExchange(exchange)
    const at = performance.timeOrigin + performance.now() - exchange.durationMilliseconds
    const hop = { at, kind, ...bounded }
    secrets.push(...findSecrets(hop))
    hops.push(hop)
  }
  return {
    add,
    take() {
      const mask = createMask([...secrets, ...hidden])
      // An exchange is added once it has ended: what it set off meanwhile is there before it.
      const ordered = hops.sort((one, other) => one.at - other.at)
      const masked = ordered.map((hop) => maskExchange({ id: ++lastId, ...hop }, mask))
      taken = secrets
      secrets = []
      hops = []
      return masked
    },
    fetchAs: (from, to, fetch = globalThis.fetch) => recordingFetch({ from, to, fetch, add }),
    hide(...values) {
      hidden.push(
        ...values.filter((value) => value !== '').map((value) => ({ value, isCode: false })),
      )
    },
    mask: (value) => createMask([...taken, ...secrets, ...hidden])(value),
  }
}

interface RecordingOptions extends Pick<ExchangeLog, 'add'> {
  readonly from: string
  readonly to: string
  readonly fetch: typeof globalThis.fetch
}

function recordingFetch({ from, to, fetch, add }: RecordingOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const began = performance.now()
    // A request object is read once: its copy is for the log.
    const request = new Request(input instanceof Request ? input.clone() : input, init)
    const asked = {
      from,
      to,
      method: request.method,
      url: request.url,
      requestHeaders: Object.fromEntries(request.headers),
      requestBody: await readAtMost(request),
    }
    try {
      const response = await fetch(input, init)
      add({
        ...asked,
        status: response.status,
        responseHeaders: Object.fromEntries(response.headers),
        responseBody: await readAtMost(response.clone()),
        durationMilliseconds: performance.now() - began,
      })
      return response
    } catch (error) {
      const durationMilliseconds = performance.now() - began
      add({ ...asked, status: 0, responseBody: `(no answer: ${error})`, durationMilliseconds })
      throw error
    }
  }
}
