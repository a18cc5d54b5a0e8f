import type { Marks } from './marks.ts'
import { accepted, refused, undecided, type VerdictSource } from './verdict-source.ts'

/**
 * An HTTP status that tells the verdict at once.
 * @param name whose status it is: `HTTP status of the response endpoint`
 * @param answer its status, and what it said, in a sentence
 */
export function httpStatus(
  name: string,
  { status, reason }: { readonly status: number; readonly reason: string },
  marks: Marks<number>,
): VerdictSource {
  const source = `${name} = ${status}`
  return {
    name,
    async observe() {
      if (marks.accepted?.includes(status)) return accepted(source, reason)
      return marks.refused?.includes(status) ? refused(source, reason) : undecided(source, reason)
    },
  }
}
