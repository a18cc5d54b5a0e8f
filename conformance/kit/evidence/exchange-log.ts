import { isDeepStrictEqual } from 'node:util'
import { maskSecrets, maskText } from '#core/json/mask-secrets.ts'
import { nestsTooDeeply } from '#core/json/read-json.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import type { Attachment } from '#scenarios/harness/z-results.ts'
import { findSecrets, type Secret } from './find-secrets.ts'

/** Replaces secrets in strings at any depth. */
export type Mask = <Value>(value: Value) => Value

// A short PIN is part of many numbers: it is masked only as a separate word.
const alone = 8
// The secret "secret" is also part of names such as client_secret.
const word = /^[A-Za-z]+$/
// Characters, approximately.
const longestPattern = 16_000

const escapeForPattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The replacement for each form in which a secret is written: plain, in addresses, in JSON. */
function replacementsFor(secrets: readonly Secret[]): Map<string, string> {
  const forms = secrets.flatMap(({ value, isCode }) => {
    const shown = isCode && value.length > 2 * alone ? `${value.slice(0, alone)}…` : '•••'
    const inForm = new URLSearchParams({ '': value }).toString().slice(1)
    const inJson = JSON.stringify(value).slice(1, -1)
    // Throws for half a surrogate pair, which JSON may contain.
    const inAddress = encodeURIComponent(value.toWellFormed())
    return [value, inAddress, inForm, inJson].map((form) => [form, shown] as const)
  })
  return new Map(forms.sort(([one], [other]) => other.length - one.length))
}

/**
 * Patterns that find these forms, the longest first. The system under test chooses how many there
 * are: a single pattern would become too large, and one with a condition for each form too slow.
 */
function patternsFor(forms: readonly string[]): RegExp[] {
  const join = (some: readonly string[]) => some.map(escapeForPattern).join('|')
  const between = (neighbours: string) => [`(?<!${neighbours})(?:`, `)(?!${neighbours})`] as const
  const kinds = Object.groupBy(forms, (form) =>
    form.length >= alone ? 'long' : word.test(form) ? 'words' : 'short',
  )
  const patterns = (
    of: readonly string[] = [],
    [before = '', after = '']: readonly string[] = [],
  ) => inParts(of).map((part) => new RegExp(`${before}${join(part)}${after}`, 'g'))
  return [
    ...patterns(kinds.long),
    ...patterns(kinds.short, between('[A-Za-z0-9]')),
    ...patterns(kinds.words, between('[A-Za-z0-9_]')),
  ]
}

/** Divides forms into parts for one pattern each. */
function inParts(forms: readonly string[]): string[][] {
  const parts: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const form of forms) {
    if (length > longestPattern) {
      parts.push([])
      length = 0
    }
    parts.at(-1)?.push(form)
    length += form.length
  }
  return parts
}

/**
 * Masks what is secret by its name or form, as in the traces of the services, and these secrets
 * everywhere: in an error that repeats a PIN, or in a page.
 */
export function createMask(secrets: readonly Secret[]): Mask {
  const replacements = replacementsFor(secrets)
  const patterns = patternsFor([...replacements.keys()])
  // Exchanges repeat the names and values of their headers thousands of times.
  const known = new Map<string, string>()
  const replace = (text: string) => {
    const masked =
      known.get(text) ??
      patterns.reduce(
        (rest, pattern) => rest.replace(pattern, (found) => replacements.get(found) ?? '•••'),
        text,
      )
    known.set(text, masked)
    return masked
  }
  return <Value>(value: Value) => maskSecrets(value, replace) as Value
}

/** An exchange without the values that would let its reader impersonate one of its parts. */
function maskExchange(hop: Hop, mask: Mask): Hop {
  const { url, requestHeaders, requestBody, responseHeaders, responseBody, rules } = hop
  return {
    ...hop,
    url: mask(maskText(url)),
    ...(requestHeaders && { requestHeaders: mask(requestHeaders) }),
    ...(requestBody === undefined ? {} : { requestBody: mask(requestBody) }),
    ...(responseHeaders && { responseHeaders: mask(responseHeaders) }),
    ...(responseBody === undefined ? {} : { responseBody: mask(responseBody) }),
    ...(rules && { rules: mask(rules) }),
  }
}

/** One exchange as one of its parts saw it; the log numbers it. */
export type Exchange = Omit<Hop, 'id' | 'at' | 'kind'> & { readonly kind?: string }

// The largest check of the testbed has 2,300. A target that loops would fill the memory.
const mostExchanges = 5_000

/** What the kit sent and received, in the order in which it began. */
export interface ExchangeLog {
  /**
   * Adds an exchange unchanged, including secrets. Bodies are strings, or decoded JSON and forms.
   * Never throws, regardless of what the system under test sent.
   */
  add(exchange: Exchange): void
  /** Adds an image that a person has provided, if there is one. It is not masked. */
  attach(attachment: Attachment | undefined): void
  /** The images since the last call; the log forgets them. */
  takeAttachments(): readonly Attachment[]
  /**
   * The exchanges since the last call, fit for reports; the log forgets them. Of more than 5,000 it
   * keeps the first and the last ones.
   */
  take(): readonly Hop[]
  /** How many exchanges were left out of those taken last. */
  readonly leftOut: number
  /** A fetch that records its exchanges as those between two parts. */
  fetchAs(from: string, to: string, fetch?: typeof globalThis.fetch): typeof globalThis.fetch
  /** Hides values that the operator provided: API keys, passwords. */
  hide(...values: readonly string[]): void
  /** Masks a string or value that mentions the current exchanges, or those taken last. */
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
  let attachments: Attachment[] = []
  let lastId = 0
  let dropped = 0
  let leftOut = 0
  let secrets: Secret[] = []
  let taken: Secret[] = []
  const hidden: Secret[] = []
  const add: ExchangeLog['add'] = (exchange) => {
    const { kind = 'http', ...bounded } = boundExchange(exchange)
    const at = performance.timeOrigin + performance.now() - exchange.durationMilliseconds
    const hop = { at, kind, ...bounded }
    secrets.push(...findSecrets(hop))
    hops.push(hop)
    if (hops.length > mostExchanges) {
      hops.splice(mostExchanges / 2, 1)
      dropped++
    }
  }
  return {
    add,
    attach: (attachment) => void attachments.push(...(attachment ? [attachment] : [])),
    takeAttachments() {
      const taken = attachments
      attachments = []
      return taken
    },
    take() {
      const mask = createMask([...secrets, ...hidden])
      // An exchange is added when it ends, so the ones that it caused are already in the list.
      const ordered = hops.sort((one, other) => one.at - other.at)
      const masked = ordered.map((hop) => maskExchange({ id: ++lastId, ...hop }, mask))
      taken = secrets
      secrets = []
      hops = []
      leftOut = dropped
      dropped = 0
      return masked
    },
    get leftOut() {
      return leftOut
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
    const response = await fetch(input, init).catch((error: unknown) => {
      const durationMilliseconds = performance.now() - began
      add({ ...asked, status: 0, responseBody: `(no response: ${error})`, durationMilliseconds })
      throw error
    })
    add({
      ...asked,
      status: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: await readAtMost(response.clone()),
      durationMilliseconds: performance.now() - began,
    })
    return response
  }
}

function locate(expected: unknown, actual: unknown, path: string): string {
  const at = path === '' ? 'They differ' : `They differ at ${path}`
  if (typeof expected === 'string' && typeof actual === 'string') {
    const length = Math.max(expected.length, actual.length)
    const position = Array.from({ length }).findIndex((_, i) => expected[i] !== actual[i])
    return `${at} from character ${position + 1} on (${expected.length} and ${actual.length} long)`
  }
  if (expected === null || actual === null) return at
  if (typeof expected !== 'object' || typeof actual !== 'object') return at
  const [one, other] = [expected, actual] as Record<string, unknown>[]
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
  const name = [...names].find((each) => !isDeepStrictEqual(one?.[each], other?.[each]))
  return name === undefined
    ? at
    : locate(one?.[name], other?.[name], path ? `${path}.${name}` : name)
}

/** Where two values differ that look the same after masking; empty for all others. */
export function describeMaskedDifference(expected: unknown, actual: unknown, mask: Mask): string {
  if (expected === undefined || actual === undefined) return ''
  if (isDeepStrictEqual(expected, actual)) return ''
  if (!isDeepStrictEqual(mask(expected), mask(actual))) return ''
  return ` ${locate(expected, actual, '')}; the difference is masked.`
}

const longestBody = 64 * 1024
const longestText = 16_000
const mostItems = 200
const tooDeep = '(cut here: too deep)'

const cutText = (text: string, limit: number) =>
  text.length <= limit
    ? text
    : `${text.slice(0, limit)}… (cut here: ${limit} of ${text.length} characters)`

function boundValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cutText(value, longestText)
  if (value === null || typeof value !== 'object') return value
  if (depth > 10) return tooDeep
  if (Array.isArray(value)) {
    const kept = value.slice(0, mostItems - 1).map((item) => boundValue(item, depth + 1))
    const more = value.length - kept.length
    return more === 0 ? kept : [...kept, `(cut here: ${more} more items)`]
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, boundValue(member, depth + 1)]),
  )
}

/** The value of a body in JSON or form encoding; otherwise its text. */
function decode(text: string, contentType: string): unknown {
  const looksLikeJson = /^\s*[{[]/.test(text)
  // JSON as a form would have a single name: all of its text.
  if (/urlencoded/i.test(contentType) && !looksLikeJson) {
    return Object.fromEntries(new URLSearchParams(text))
  }
  if (!/json/i.test(contentType) && !looksLikeJson) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A control character that text never contains: a body with one is shown only as its length. */
const isBinary = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\0-\x08\uFFFD]/.test(text.slice(0, 1000))

/**
 * A body as evidence keeps it: JSON and forms decoded, long values cut with a note of how much is
 * missing, binary data replaced by its length. Undefined for an empty body.
 */
function boundBody(body: unknown, contentType = ''): unknown {
  if (body === undefined || body === '') return undefined
  if (typeof body !== 'string') {
    // Node 24 cannot serialize a value that is nested endlessly; Node 26 can.
    if (nestsTooDeeply(body)) return tooDeep
    const text = JSON.stringify(body) ?? ''
    return text.length > longestBody ? cutText(text, longestText) : boundValue(body)
  }
  if (isBinary(body)) return `<${body.length} characters of ${contentType || 'no content type'}>`
  if (body.length > longestBody) return cutText(body, longestText)
  return boundValue(decode(body, contentType))
}

const mostBytes = 1024 * 1024

/** For evidence: the text of a body, with a note if it breaks off. */
async function readAtMost(message: Pick<Response, 'body'>): Promise<string> {
  const { text, brokenOff } = await readBody(message)
  return brokenOff === undefined ? text : `${text}(broken off: ${brokenOff})`
}

/**
 * Reads a body as text, at most its first mebibyte: a system under test may send without end. If
 * the body breaks off, returns the received part and the error.
 */
export async function readBody({
  body,
}: Pick<Response, 'body'>): Promise<{ readonly text: string; readonly brokenOff?: unknown }> {
  if (body === null) return { text: '' }
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  let end = {}
  try {
    while (size < mostBytes) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      size += value.byteLength
    }
  } catch (error) {
    end = { brokenOff: error }
  }
  // The copy's cancellation settles only when the original ends: do not wait for it here.
  reader.cancel().catch(() => {})
  return { text: Buffer.concat(chunks).toString('utf8'), ...end }
}
