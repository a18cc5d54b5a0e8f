import { setTimeout as wait } from 'node:timers/promises'
import { TestbedError } from '#core/errors/testbed-error.ts'

export interface EventuallyOptions {
  readonly signal: AbortSignal
  /** Default: 10 000. */
  readonly limitMilliseconds?: number
}

/**
 * Asks again and again until there is an answer, for what happens soon but not at once. `what`
 * names it: "a mail to ana@example.org".
 * @throws TestbedError `not_in_time`
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  { signal, limitMilliseconds = 10_000 }: EventuallyOptions,
): Promise<T> {
  const end = performance.now() + limitMilliseconds
  do {
    const answer = await ask()
    if (answer !== undefined) return answer
    await wait(50, undefined, { signal })
  } while (performance.now() < end)
  throw new TestbedError({
    code: 'not_in_time',
    status: 504,
    message: `There was no sign of ${what} within ${limitMilliseconds} ms.`,
  })
}
