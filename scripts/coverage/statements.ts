/** A statement that code and tests need not cite. */
export interface Exemption {
  readonly id: string
  /** Why it states no rule. */
  readonly reason: string
}

/** Reads lines of id, tab, reason; `#` begins a comment. */
export const parseExemptions = (lines: string): readonly Exemption[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [id = '', reason = ''] = line.split('\t')
      return { id: id.trim(), reason: reason.trim() }
    })

/** Part and section of a statement: `2.endpoints/did-registry`. */
export const sectionOf = (id: string): string => id.slice(0, id.lastIndexOf('.'))

/** Whether the statement is in that part (`2`) or section (`1.endpoints/issuer`). */
export const isWithin = (id: string, part: string): boolean =>
  id.startsWith(`${part}.`) || id.startsWith(`${part}/`)
