import type { Marks } from './marks.ts'
import { accepted, refused, undecided, type VerdictSource } from './verdict-source.ts'

/** Parameters of the address that somebody is sent on to: `error` refuses, `code` accepts. */
export function redirectParameter(
  address: string | undefined,
  marks: Marks<string>,
): VerdictSource {
  const name = 'redirect_uri'
  return {
    name,
    async observe() {
      const url = URL.parse(address ?? '')
      if (!url) return undecided(name, 'Nobody is sent on.')
      const names = [...url.searchParams.keys(), ...new URLSearchParams(url.hash.slice(1)).keys()]
      const find = (known: readonly string[] = []) => known.find((mark) => names.includes(mark))
      const refusal = find(marks.refused)
      // An answer with both an error and a code is an error.
      if (refusal !== undefined) {
        return refused(`${name}: ${refusal}`, `The holder is sent on with ${refusal}.`)
      }
      const acceptance = find(marks.accepted)
      return acceptance === undefined
        ? undecided(name, 'The address that the holder is sent on to tells nothing.')
        : accepted(`${name}: ${acceptance}`, `The holder is sent on with ${acceptance}.`)
    },
  }
}
