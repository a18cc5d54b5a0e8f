import { isDeepStrictEqual } from 'node:util'
import { nestsTooDeeply } from '#core/json/read-json.ts'
import { expectationFailed } from '#scenarios/errors.ts'
import type { HttpAnswer } from './http-client.ts'

const shorten = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

/** A system under test may answer with more levels than the stack has room for. */
function format(value: unknown): string {
  if (nestsTooDeeply(value)) return 'a deeply nested value'
  return shorten(JSON.stringify(value) ?? 'missing')
}

const longestQuoted = 120
const mostNamed = 3

/** Two long values look alike in a message: only the members that differ are quoted. */
function describeDifference(what: string, actual: unknown, expected: unknown): string {
  const isShort = [actual, expected].every((value) => format(value).length <= longestQuoted)
  const differing = isShort ? [] : listDifferences(actual, expected)
  if (differing.length === 0) return `${what} is ${format(actual)}, expected ${format(expected)}`
  const named = differing
    .slice(0, mostNamed)
    .map(([path, one, other]) => `${path} is ${format(one)}, expected ${format(other)}`)
  const more = differing.length > mostNamed ? `; and ${differing.length - mostNamed} more` : ''
  return `${what}: ${named.join('; ')}${more}`
}

type Difference = readonly [path: string, actual: unknown, expected: unknown]

/** The innermost members of two objects, or lists of the same length, that differ. */
function listDifferences(actual: unknown, expected: unknown, path = ''): Difference[] {
  if (!areSimilar(actual, expected)) return path === '' ? [] : [[path, actual, expected]]
  const [one, other] = [actual, expected] as Record<string, unknown>[]
  const names = new Set([...Object.keys(expected as object), ...Object.keys(actual as object)])
  return [...names]
    .filter((name) => !isDeepStrictEqual(one?.[name], other?.[name]))
    .flatMap((name) => listDifferences(one?.[name], other?.[name], path ? `${path}.${name}` : name))
}

function areSimilar(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(actual) && Array.isArray(expected)) return actual.length === expected.length
  return [actual, expected].every(
    (value) =>
      typeof value === 'object' && value && !Array.isArray(value) && !nestsTooDeeply(value),
  )
}

/** Both are deeply equal. `what` names the value: "the record's status". */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return
  // JSON has no sets.
  const [found, wanted] = [actual, expected].map((each) => (each instanceof Set ? [...each] : each))
  throw expectationFailed(describeDifference(what, found, wanted), {
    actual: found,
    expected: wanted,
  })
}

/** The condition is true; `statement` describes it, for example "the token has not expired". */
export function expectTrue(statement: string, condition: boolean, actual?: unknown): void {
  if (condition) return
  const found = actual === undefined ? '' : `; found ${format(actual)}`
  throw expectationFailed(`Expectation not met: ${statement}${found}`, { actual })
}

/** The value is neither `undefined` nor `null`. Returns it. */
export function expectPresent<T>(what: string, value: T | undefined | null): T {
  if (value === undefined || value === null) throw expectationFailed(`${what} is missing`)
  return value
}

/** What a person reads on an HTML page: a message has no room for its markup. */
const readableText = (value: unknown) =>
  typeof value === 'string' && /^<!doctype html>/i.test(value)
    ? value
        .replace(/<head>[\s\S]*<\/head>|<[^>]*>/gi, ' ')
        .replace(/\s+/g, ' ')
        .trim()
    : value

/** The string matches the pattern. Returns the string. */
export function expectMatch(what: string, actual: unknown, pattern: RegExp): string {
  if (typeof actual === 'string' && pattern.test(actual)) return actual
  throw expectationFailed(`${what} is ${format(readableText(actual))}, expected ${pattern}`, {
    actual,
    expected: String(pattern),
  })
}

/** The answer has this status. Returns the answer. */
export function expectStatus(answer: HttpAnswer, expected: number): HttpAnswer {
  const { method, url, status, text } = answer
  if (status === expected) return answer
  const body = text === '' ? 'an empty body' : shorten(text)
  throw expectationFailed(`${method} ${url} returned ${status}, expected ${expected}: ${body}`, {
    actual: status,
    expected,
  })
}

/** The answer is a JSON object with this status. Returns the object. */
export function expectJson(answer: HttpAnswer, expected: number): Record<string, unknown> {
  const { json, contentType } = expectStatus(answer, expected)
  if (
    !/^application\/([a-z.+-]+\+)?json\b/.test(contentType) ||
    typeof json !== 'object' ||
    !json
  ) {
    const found = contentType || 'no content type'
    throw expectationFailed(
      `${answer.method} ${answer.url} returned ${found} instead of a JSON object`,
      {
        actual: answer.text.slice(0, 2000),
      },
    )
  }
  return json as Record<string, unknown>
}

/** The work rejects. Returns the reason. */
export async function expectRefusal(what: string, work: Promise<unknown>): Promise<unknown> {
  const outcome = await work.then(
    (value) => ({ refused: false, value }),
    (reason: unknown) => ({ refused: true, value: reason }),
  )
  if (!outcome.refused)
    throw expectationFailed(`${what} was accepted, but a rejection was expected`)
  return outcome.value
}

/** The object has these members with these values, and possibly others. */
export function expectIncludes(
  what: string,
  actual: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
): void {
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, actual[name]]))
  const wrong = Object.keys(expected)
    .filter((name) => !isDeepStrictEqual(found[name], expected[name]))
    .map((name) => `${name} is ${format(found[name])}, expected ${format(expected[name])}`)
  if (wrong.length === 0) return
  throw expectationFailed(`${what}: ${wrong.join('; ')}`, { actual: found, expected })
}
