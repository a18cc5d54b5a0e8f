import { Agent, fetch } from 'undici'
import { onTestFinished } from 'vitest'

/** A fetch that connects from another loopback address: a client on another host, to a server. */
export function fetchFrom(localAddress: string): typeof globalThis.fetch {
  const dispatcher = new Agent({ localAddress })
  onTestFinished(() => dispatcher.close())
  const send = (url: string, init: object) => fetch(url, { ...init, dispatcher })
  return send as unknown as typeof globalThis.fetch
}
