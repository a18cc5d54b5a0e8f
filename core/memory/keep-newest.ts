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
