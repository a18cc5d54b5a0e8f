/** A conformance check on an issuer or a verifier. */
export interface CatalogueCheck {
  /** `I26`, `V05`. */
  readonly id: string
  readonly text: string
  /** Why no wallet can break it; empty where a fault does. */
  readonly reason: string
}

/** Reads lines of `id, tab, text, tab, reason`; `#` begins a remark. */
export const parseCatalogue = (lines: string): readonly CatalogueCheck[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [id = '', text = '', reason = ''] = line.split('\t').map((cell) => cell.trim())
      return { id, text, reason }
    })
