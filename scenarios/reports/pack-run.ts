import { gzipSync } from 'node:zlib'
import { decodeBase64url } from '#core/crypto/base64url.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { describeHop, findFailedHop, groupHops } from './describe-hops.ts'

/**
 * Hops of a run, compressed: the data from which the page's script draws a scenario once it is
 * opened.
 */
export interface PackedRun {
  /** Values that several scenarios share: gzip of JSON, in base64. */
  readonly shared: string
  /** By scenario, in their order; empty if it has no hops. */
  readonly scenarios: readonly string[]
}

/**
 * Packs the hops of all scenarios for the page. Each distinct message is kept once, and each token
 * is decoded once, here, so that the page needs no decoder.
 */
export function packRun(results: readonly ScenarioResult[]): PackedRun {
  const table = createValueTable()
  const drafts = results.map((result) => {
    const hops = result.hops.map((hop) => {
      const { request, response, rules, ...line } = describeHop(hop)
      return {
        ...line,
        ...(request && { request: table.add(request) }),
        ...(response && { response: table.add(response) }),
        ...(rules && { rules: table.add(rules) }),
      }
    })
    const groups = groupHops(result.hops).map((group) => group.hops.length)
    const failedHop = findFailedHop(result)
    const steps = result.steps.map(({ title, verdict }) => ({ title, verdict }))
    const head = { steps, groups, ...(failedHop !== undefined && { failedHop }), hops }
    const numbers = hops.flatMap(({ request = -1, response = -1, rules = -1 }) =>
      [request, response, rules].filter((number) => number >= 0),
    )
    return { head, reached: table.reach(numbers) }
  })

  const holders = new Map<number, number>()
  for (const { reached } of drafts) {
    for (const number of reached) holders.set(number, (holders.get(number) ?? 0) + 1)
  }
  const write = (numbers: readonly number[]) =>
    `{${numbers.map((number) => `"${number}":${table.jsonOf(number)}`).join(',')}}`
  const isShared = (number: number) => (holders.get(number) ?? 0) > 1
  return {
    shared: compress(write([...holders.keys()].filter(isShared))),
    scenarios: drafts.map(({ head, reached }) => {
      if (head.hops.length === 0) return ''
      const own = [...reached].filter((number) => !isShared(number))
      return compress(`{"head":${JSON.stringify(head)},"values":${write(own)}}`)
    }),
  }
}

const compress = (json: string) => gzipSync(json, { level: 6 }).toString('base64')

/** Header and payload of a JWT; its signature is not kept. */
export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
}

// Only from the start of a run of its characters: from every position it would take quadratic time.
const tokenPattern = /(?<![\w-])eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_…-]*)?/g

function decodeObject(encoded: string): Record<string, unknown> | undefined {
  const bytes = decodeBase64url(encoded)
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Reads a JWT's header and payload; undefined if it is not a valid JWT. */
export function decodeToken(token: string): DecodedToken | undefined {
  const [encodedHeader = '', encodedPayload = ''] = token.split('.')
  const header = decodeObject(encodedHeader)
  const payload = decodeObject(encodedPayload)
  return header && payload && { header, payload }
}

/** Replaces each JWT in a string; keeps those for which `replace` returns undefined. */
export function replaceTokens(
  text: string,
  replace: (token: string) => string | undefined,
): string {
  // Most strings contain none, and a search is far cheaper than the pattern.
  if (!text.includes('eyJ')) return text
  return text.replace(tokenPattern, (token) => replace(token) ?? token)
}

/** Each distinct value of a run once, and each token in them decoded once. */
export interface ValueTable {
  /** Keeps a value of JSON; returns its number, the same for equal values. */
  add(value: unknown): number
  /** Numbers of these values and of all tokens within them, at any depth. */
  reach(numbers: Iterable<number>): Set<number>
  /** A kept value as JSON. */
  jsonOf(number: number): string
}

interface Entry {
  readonly json: string
  readonly tokens: readonly number[]
}

/**
 * The reference to token number 7 in a string. Both characters are for private use; if a message
 * contains them, they are replaced.
 */
const reference = (number: number) => `\uE000${number}\uE001`

const forged = /[\uE000\uE001]/g
const hasToken = /eyJ|[\uE000\uE001]/

const mostLevels = 64

/** Keeps values by their content. A token becomes a separate value `{header, payload}`. */
export function createValueTable(): ValueTable {
  const entries: Entry[] = []
  const numberByJson = new Map<string, number>()
  const numberByMessage = new Map<string, number>()
  const numberByToken = new Map<string, number | undefined>()

  function keep(json: string, tokens: readonly number[] = []): number {
    const number = numberByJson.get(json) ?? entries.push({ json, tokens }) - 1
    numberByJson.set(json, number)
    return number
  }

  /** A message, which is already bounded. Most contain no token. */
  function add(value: unknown): number {
    const json = JSON.stringify(value) ?? 'null'
    const number = numberByMessage.get(json) ?? (hasToken.test(json) ? refer(value) : keep(json))
    numberByMessage.set(json, number)
    return number
  }

  function refer(value: unknown): number {
    const tokens: number[] = []
    return keep(JSON.stringify(referIn(value, tokens, 0)), tokens)
  }

  function keepToken(token: string): number | undefined {
    // The signature is cut in traces and irrelevant here: tokens with the same content are equal.
    const key = token.split('.', 2).join('.')
    if (numberByToken.has(key)) return numberByToken.get(key)
    const decoded = decodeToken(token)
    const number = decoded && refer(decoded)
    numberByToken.set(key, number)
    return number
  }

  function referText(text: string, tokens: number[]): string {
    return replaceTokens(text.replace(forged, '\uFFFD'), (token) => {
      const number = keepToken(token)
      if (number === undefined) return undefined
      tokens.push(number)
      return reference(number)
    })
  }

  function referIn(value: unknown, tokens: number[], level: number): unknown {
    if (typeof value === 'string') return referText(value, tokens)
    if (value === null || typeof value !== 'object') return value
    if (level > mostLevels) return '…'
    if (Array.isArray(value)) return value.map((item) => referIn(item, tokens, level + 1))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name.replace(forged, '\uFFFD'),
        referIn(member, tokens, level + 1),
      ]),
    )
  }

  return {
    add,
    reach(numbers) {
      const reached = new Set<number>()
      const visit = (number: number) => {
        if (reached.has(number)) return
        reached.add(number)
        for (const token of entries[number]?.tokens ?? []) visit(token)
      }
      for (const number of numbers) visit(number)
      return reached
    },
    jsonOf: (number) => entries[number]?.json ?? 'null',
  }
}
