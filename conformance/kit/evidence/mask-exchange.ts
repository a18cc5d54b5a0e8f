import { maskSecrets, maskText } from '#core/json/mask-secrets.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import type { Secret } from './find-secrets.ts'

/** Replaces secrets in texts at any depth. */
export type Mask = <Value>(value: Value) => Value

// A short PIN is part of many a number: it counts only where it stands alone.
const alone = 8

const escapeForPattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const patternOf = (value: string) => {
  const escaped = escapeForPattern(value)
  return value.length < alone ? `(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])` : escaped
}

/** Text that stands for each form in which a secret is written: as it is, in addresses, in JSON. */
function replacementsFor(secrets: readonly Secret[]): Map<string, string> {
  const forms = secrets.flatMap(({ value, isCode }) => {
    const told = isCode && value.length > 2 * alone ? `${value.slice(0, alone)}…` : '•••'
    const inForm = new URLSearchParams({ '': value }).toString().slice(1)
    const inJson = JSON.stringify(value).slice(1, -1)
    const inAddress = encodeURIComponent(value)
    return [value, inAddress, inForm, inJson].map((form) => [form, told] as const)
  })
  return new Map(forms.sort(([one], [other]) => other.length - one.length))
}

function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [replace(name), mapTexts(member, replace)]),
  )
}

/**
 * Masks what is secret by its name or form, as in the traces of the services, and these very secrets
 * wherever they stand: in an error that repeats a PIN, or in a page.
 */
export function createMask(secrets: readonly Secret[]): Mask {
  const replacements = replacementsFor(secrets)
  const pattern = new RegExp([...replacements.keys()].map(patternOf).join('|') || '(?!)', 'g')
  const replace = (text: string) =>
    text.replace(pattern, (found) => replacements.get(found) ?? '•••')
  return <Value>(value: Value) => mapTexts(maskSecrets(value), replace) as Value
}

/** An exchange without what would let its reader act in the name of somebody who took part. */
export function maskExchange(hop: Hop, mask: Mask): Hop {
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
