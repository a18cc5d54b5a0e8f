import type { CallVerbOptions, VerbAnswer } from './call-verb.ts'
import { callVerb } from './call-verb.ts'
import type { PersonDesk } from './person/pages.ts'
import type { HttpVerb, Verb, WalletAdapter } from './z-verb.ts'

/** The operations of the wallet under test, independent of the adapter. */
export interface WalletDriver {
  /** How it is driven, for reports: `commands`, `HTTP`, `a person`. */
  readonly by: string
  /** Whether the target has the optional verbs. */
  readonly can: { readonly list: boolean; readonly reset: boolean }
  acceptOffer(offer: { readonly link: string; readonly pin?: string }): Promise<VerbAnswer>
  present(request: { readonly link: string }): Promise<VerbAnswer>
  list(): Promise<VerbAnswer & { readonly credentials: readonly unknown[] }>
  /** Empties the wallet. If the target supports it, its account gets a new key on that curve. */
  reset(options?: { readonly curve?: 'secp256k1' | 'Ed25519' }): Promise<VerbAnswer>
}

/** Drives a wallet by asking the person who holds it. */
function createPersonDriver(
  desk: PersonDesk,
  limits: { readonly signal: AbortSignal; readonly timeoutMilliseconds: number },
): WalletDriver {
  const notAsked = (verb: string): VerbAnswer => ({
    outcome: 'failed',
    reason: `A person is not asked to ${verb}.`,
    text: '',
    json: undefined,
    source: 'a person',
  })
  return {
    by: 'a person',
    can: { list: false, reset: false },
    acceptOffer: (offer) => desk.ask({ verb: 'accept-offer', ...offer }, limits),
    present: (request) => desk.ask({ verb: 'present', ...request }, limits),
    list: async () => ({ ...notAsked('list'), credentials: [] }),
    reset: async () => notAsked('reset'),
  }
}

export interface WalletDriverOptions extends CallVerbOptions {
  /** Where a person is asked; required for an adapter of the type `person`. */
  readonly desk?: PersonDesk
}

interface WalletVerbs {
  readonly 'accept-offer': Verb
  readonly present: Verb
  readonly list?: Verb | undefined
  readonly reset?: Verb | undefined
}

/**
 * Drives a wallet under test as its target specifies: by commands, over HTTP as in
 * docs/guides/wallet-over-http.md, or with a person and a page of QR codes. Each check creates one.
 */
export function createWalletDriver(
  adapter: WalletAdapter,
  { desk, ...options }: WalletDriverOptions,
): WalletDriver {
  const { timeoutSeconds } = adapter
  if (adapter.type === 'person') {
    if (!desk) throw new TypeError('a wallet that a person holds requires a person desk')
    const timeoutMilliseconds = (timeoutSeconds ?? 180) * 1000
    return createPersonDriver(desk, { ...options, timeoutMilliseconds })
  }
  const verbs = adapter.type === 'http' ? verbsOverHttp(adapter) : adapter
  const by = adapter.type === 'http' ? 'HTTP' : 'commands'
  const limits = timeoutSeconds === undefined ? {} : { timeoutMilliseconds: timeoutSeconds * 1000 }
  return driveByVerbs(by, verbs, { ...options, ...limits })
}

function driveByVerbs(by: string, verbs: WalletVerbs, options: CallVerbOptions): WalletDriver {
  const call = (name: keyof WalletVerbs, values: Record<string, string | undefined> = {}) => {
    const verb = verbs[name]
    return verb === undefined
      ? Promise.resolve(missingVerb(name))
      : callVerb(verb, name, values, options)
  }
  return {
    by,
    can: { list: verbs.list !== undefined, reset: verbs.reset !== undefined },
    acceptOffer: ({ link, pin }) => call('accept-offer', { link, pin }),
    present: ({ link }) => call('present', { link }),
    reset: ({ curve } = {}) => call('reset', { curve }),
    async list() {
      const answer = await call('list')
      if (answer.outcome !== 'done') return { ...answer, credentials: [] }
      const credentials = credentialsIn(answer.json)
      if (credentials) return { ...answer, credentials }
      const reason = 'list returned neither a JSON list nor an object with the list `credentials`.'
      return { ...answer, outcome: 'failed', reason, credentials: [] }
    },
  }
}

const missingVerb = (name: string): VerbAnswer => ({
  outcome: 'failed',
  reason: `The target has no verb ${name}.`,
  text: '',
  json: undefined,
  source: name,
})

function credentialsIn(json: unknown): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json
  const { credentials } = (json ?? {}) as { credentials?: unknown }
  return Array.isArray(credentials) ? credentials : undefined
}

/** Only 422 is a rejection there: 400 means that the call was wrong, 502 that no answer came. */
function verbsOverHttp({ url, headers }: Pick<HttpVerb, 'url' | 'headers'>): WalletVerbs {
  const base = url.replace(/\/+$/, '')
  const post = (path: string, json: unknown): HttpVerb => ({
    url: `${base}/${path}`,
    method: 'POST',
    headers,
    json,
    statuses: { done: [200], refused: [422] },
  })
  return {
    'accept-offer': post('accept-offer', { link: '{link}', pin: '{pin}' }),
    present: post('present', { link: '{link}' }),
    list: { url: `${base}/list`, headers, statuses: { done: [200] } },
    reset: post('reset', { curve: '{curve}' }),
  }
}
