import { isDeepStrictEqual } from 'node:util'
import type { Mask } from './mask-exchange.ts'

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

/** Where two values differ that look the same once they are masked; empty for all others. */
export function describeMaskedDifference(expected: unknown, actual: unknown, mask: Mask): string {
  if (expected === undefined || actual === undefined) return ''
  if (isDeepStrictEqual(expected, actual)) return ''
  if (!isDeepStrictEqual(mask(expected), mask(actual))) return ''
  return ` ${locate(expected, actual, '')}; what differs is masked.`
}
