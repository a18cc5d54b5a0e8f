import { isDeepStrictEqual } from 'node:util'
import { expectationFailed } from '../errors.ts'
import type { HttpAnswer } from './http-client.ts'

const shorten = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

const tell = (value: unknown) => shorten(JSON.stringify(value) ?? 'missing')

/** Both are the same, in depth. `what` names it: "the record's status". */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw expectationFailed(`${what} is ${tell(actual)}, expected ${tell(expected)}`, {
    actual,
    expected,
  })
}

/** The condition holds; `statement` says what holds, for example "the token has not expired". */
export function expectTrue(statement: string, condition: boolean, actual?: unknown): void {
  if (condition) return
  const found = actual === undefined ? '' : `; found ${tell(actual)}`
  throw expectationFailed(`It does not hold that ${statement}${found}`, { actual })
}

/** It is there: neither `undefined` nor `null`. Gives it back. */
export function expectPresent<T>(what: string, value: T | undefined | null): T {
  if (value === undefined || value === null) throw expectationFailed(`${what} is missing`)
  return value
}

/** The text matches the pattern. Gives the text back. */
export function expectMatch(what: string, actual: unknown, pattern: RegExp): string {
  if (typeof actual === 'string' && pattern.test(actual)) return actual
  throw expectationFailed(`${what} is ${tell(actual)}, expected ${pattern}`, {
    actual,
    expected: String(pattern),
  })
}

/** The answer has this status. Gives the answer back. */
export function expectStatus(answer: HttpAnswer, expected: number): HttpAnswer {
  const { method, url, status, text } = answer
  if (status === expected) return answer
  const body = text === '' ? 'an empty body' : shorten(text)
  throw expectationFailed(`${method} ${url} answered ${status}, expected ${expected}: ${body}`, {
    actual: status,
    expected,
  })
}

/** The answer is a JSON object with this status. Gives the object. */
export function expectJson(answer: HttpAnswer, expected: number): Record<string, unknown> {
  const { json, contentType } = expectStatus(answer, expected)
  if (
    !/^application\/([a-z.+-]+\+)?json\b/.test(contentType) ||
    typeof json !== 'object' ||
    !json
  ) {
    const found = contentType || 'no content type'
    throw expectationFailed(`${answer.method} ${answer.url} answered no JSON object but ${found}`, {
      actual: answer.text.slice(0, 2000),
    })
  }
  return json as Record<string, unknown>
}

/** The work is refused: it rejects. Gives what it rejected with. */
export async function expectRefusal(what: string, work: Promise<unknown>): Promise<unknown> {
  const outcome = await work.then(
    (value) => ({ refused: false, value }),
    (reason: unknown) => ({ refused: true, value: reason }),
  )
  if (!outcome.refused) throw expectationFailed(`${what} was accepted, a refusal was expected`)
  return outcome.value
}

/** The object has these members with these values, whatever else it has. */
export function expectIncludes(
  what: string,
  actual: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
): void {
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, actual[name]]))
  const wrong = Object.keys(expected)
    .filter((name) => !isDeepStrictEqual(found[name], expected[name]))
    .map((name) => `${name} is ${tell(found[name])}, expected ${tell(expected[name])}`)
  if (wrong.length === 0) return
  throw expectationFailed(`${what}: ${wrong.join('; ')}`, { actual: found, expected })
}
