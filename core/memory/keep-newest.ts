/**
 * Returns the kept value for a name, or makes and keeps it. Undefined values are not kept, but made
 * again.
 */
export type Keep<Value> = <Made extends Value | undefined>(
  name: string,
  make: () => Made,
) => Value | Made

/** Keeps at most this many values: a further one replaces the oldest. */
export function keepNewest<Value>(most: number): Keep<Value> {
  const kept = new Map<string, Value>()
  return (name, make) => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const made = make()
    if (made === undefined) return made
    const [oldest] = kept.keys()
    if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
    kept.set(name, made)
    return made
  }
}

const mostAnswers = 256
/** Characters, in hex. */
const longestAnswer = 64 * 1024

/**
 * Keeps what the latest answers of a contract decode to: decoding costs more than the call, and
 * most calls return what they returned before. `subject` is what the call was about, if the result
 * also depends on that.
 */
export function rememberAnswers<Result>(
  decodeAnswer: (answer: Uint8Array, subject: string) => Result,
): (answer: string, subject?: string) => Result {
  const keep = keepNewest<Result>(mostAnswers)
  return (answer, subject = '') => {
    const make = () => decodeAnswer(Buffer.from(answer.slice(2), 'hex'), subject)
    return answer.length <= longestAnswer ? keep(subject + answer, make) : make()
  }
}
