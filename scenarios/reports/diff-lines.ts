/** A line of a difference: only expected, only found, or both. */
export interface DiffLine {
  readonly kind: 'expected' | 'found' | 'both'
  readonly text: string
}

const mostLines = 500

/** Lengths of the longest common subsequence of what is left from (i, j) on. */
function measureCommon(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i--) {
    const [row, below] = [lengths[i] as Uint16Array, lengths[i + 1] as Uint16Array]
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] =
        before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return lengths
}

const all = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ kind, text }))

/**
 * Compares two texts line by line: what was expected and what was found instead. Very long ones are
 * told one after the other.
 */
export function diffLines(expected: string, found: string): DiffLine[] {
  const [before, after] = [expected.split('\n'), found.split('\n')]
  if (before.length > mostLines || after.length > mostLines) {
    return [...all('expected', before), ...all('found', after)]
  }
  const lengths = measureCommon(before, after)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    const text = before[i] as string
    if (text === after[j]) {
      lines.push({ kind: 'both', text })
      i += 1
      j += 1
    } else if ((lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) {
      lines.push({ kind: 'expected', text })
      i += 1
    } else {
      lines.push({ kind: 'found', text: after[j] as string })
      j += 1
    }
  }
  return [...lines, ...all('expected', before.slice(i)), ...all('found', after.slice(j))]
}
