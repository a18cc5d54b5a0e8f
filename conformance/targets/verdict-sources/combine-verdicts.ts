import { type Observation, undecided, type VerdictSource } from './verdict-source.ts'

/**
 * Looks at several places at once. The first that decides ends the others, which look once more; if
 * one of them says the opposite, nothing is decided, and both are told. A weak source counts only
 * where no other decides. Nothing observed decides nothing.
 */
export async function combineVerdicts(
  sources: readonly VerdictSource[],
  signal: AbortSignal,
): Promise<Observation> {
  const decided = new AbortController()
  const ends = AbortSignal.any([signal, decided.signal])
  const inOrder: { readonly observation: Observation; readonly isWeak: boolean }[] = []
  await Promise.all(
    sources.map(async ({ observe, isWeak = false }) => {
      const observation = await observe(ends)
      inOrder.push({ observation, isWeak })
      if (observation.verdict !== 'undecided') decided.abort()
    }),
  )
  const decisive = inOrder.filter(({ observation }) => observation.verdict !== 'undecided')
  const strong = decisive.filter(({ isWeak }) => !isWeak)
  const [first, ...others] = (strong.length > 0 ? strong : decisive).map(
    ({ observation }) => observation,
  )
  if (first === undefined) return nothingObserved(inOrder.map(({ observation }) => observation))
  const opposite = others.find(({ verdict }) => verdict !== first.verdict)
  return opposite === undefined ? first : contradiction(first, opposite)
}

function nothingObserved(observations: readonly Observation[]): Observation {
  const sources = observations.map(({ source }) => source)
  const reasons = [...new Set(observations.map(({ reason }) => reason))]
  return undecided(
    sources.join(', ') || 'no source',
    reasons.join(' ') || 'The target names no place where a verdict shows.',
  )
}

function contradiction(one: Observation, other: Observation): Observation {
  const tell = ({ source, verdict, reason }: Observation) => `${source} says ${verdict} (${reason})`
  return {
    ...undecided(
      `${one.source}; ${other.source}`,
      `It contradicts itself: ${tell(one)}, and ${tell(other)}`,
    ),
    isContradiction: true,
  }
}
