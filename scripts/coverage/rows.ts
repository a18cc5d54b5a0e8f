/** A row or sentence of one of the documents. */
export interface Row {
  /** `2.endpoints/did-registry.3`: document, section, number. */
  readonly id: string
  readonly text: string
}

/** Reads lines of `id, tab, text`, as the rows and the reasons are kept; `#` begins a remark. */
export const parseRows = (lines: string): readonly Row[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [id = '', text = ''] = line.split('\t')
      return { id: id.trim(), text: text.trim() }
    })

/** Document and section of a row: `2.endpoints/did-registry`. */
export const sectionOf = (id: string): string => id.slice(0, id.lastIndexOf('.'))

/** True where the row is in that document (`2`) or section (`1.endpoints/issuer`). */
export const isWithin = (id: string, part: string): boolean =>
  id.startsWith(`${part}.`) || id.startsWith(`${part}/`)
