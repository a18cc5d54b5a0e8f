import type { ExplainedFact } from './explanation.ts'

/** The facts whose value is a text that is not empty, a number, or a list of such. */
export function factsOf(
  entries: readonly (readonly [label: string, value: unknown])[],
): readonly ExplainedFact[] {
  return entries.flatMap(([label, value]) => {
    const texts = [value].flat().filter((item) => typeof item === 'string' || isNumber(item))
    const text = texts.map(String).join(', ')
    return text === '' ? [] : [{ label, value: text }]
  })
}

/** Unix seconds as people read them; undefined for anything else. */
export function timeOf(value: unknown): string | undefined {
  const date = new Date(isNumber(value) ? value * 1000 : Number.NaN)
  if (Number.isNaN(date.getTime())) return undefined
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
