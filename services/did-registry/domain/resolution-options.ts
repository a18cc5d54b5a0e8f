/** The media types of DID documents, the recommended one first. */
export const didMediaTypes = ['application/did+ld+json', 'application/did+json'] as const

export type DidMediaType = (typeof didMediaTypes)[number]

/**
 * Chooses the media type that an Accept header prefers (RFC 9110, 12.5.1): the most specific range
 * determines the quality of each, and parameters other than q are ignored. Undefined if the header
 * accepts neither (profile/did-registry, Errors: 406). Without a header, every type is acceptable.
 */
export function chooseMediaType(accept: string | undefined): DidMediaType | undefined {
  const ranges = withoutQuotedText(accept?.trim() || '*/*')
    .split(',')
    .flatMap(parseRange)
  let best: { type: DidMediaType; quality: number } | undefined
  for (const type of didMediaTypes) {
    const quality = qualityOf(type, ranges)
    if (quality > (best?.quality ?? 0)) best = { type, quality }
  }
  return best?.type
}

interface Range {
  readonly name: string
  readonly quality: number
}

/**
 * A quoted parameter may contain commas and semicolons, which are not separators (RFC 9110, 5.6.4).
 */
function withoutQuotedText(header: string): string {
  let kept = ''
  let quoted = false
  for (let at = 0; at < header.length; at++) {
    if (header[at] === '"') quoted = !quoted
    else if (!quoted) kept += header[at]
    else if (header[at] === '\\') at++
  }
  return kept
}

function parseRange(text: string): Range[] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  if (weight === undefined) return [{ name, quality: 1 }]
  const isValid = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)
  return isValid ? [{ name, quality: Number(weight.slice(2)) }] : []
}

function qualityOf(type: DidMediaType, ranges: readonly Range[]): number {
  for (const name of [type, 'application/*', '*/*']) {
    const range = ranges.find((one) => one.name === name)
    if (range) return range.quality
  }
  return 0
}

const latest = 2n ** 64n - 1n

/**
 * Parses the query valid-at: Unix seconds as a decimal number, optionally with an exponent. Drops
 * the fraction, as the registry uses whole seconds, and clamps the time to the contract's range.
 * Undefined if it is not a number.
 */
export function parseValidAt(text: string): bigint | undefined {
  if (!/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return undefined
  const value = Math.floor(Number(text))
  return value >= Number(latest) ? latest : BigInt(Math.max(value, 0))
}
