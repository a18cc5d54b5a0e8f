import { countWords, extractProse } from './extract-prose.ts'
import { phrases } from './phrases.ts'

export interface PhraseHit {
  readonly file: string
  readonly line: number
  readonly phrase: string
  readonly instead: string
  /** The words as the file has them, with some around. */
  readonly excerpt: string
}

/** Files that quote the phrases or other documents. Keep this list short. */
const exemptions: readonly { readonly files: RegExp; readonly reason: string }[] = [
  { files: /^scripts\/checks\/prose\/phrases\.ts$/, reason: 'lists the phrases' },
  { files: /^docs\/style\.md$/, reason: 'quotes the phrases as counterexamples' },
  { files: /^docs\/coverage\/clauses\.tsv$/, reason: 'quotes the standards' },
]

/** Finds the phrases that read translated, and counts the words of the file. */
export function findPhrases(file: string, text: string): { words: number; hits: PhraseHit[] } {
  if (isGenerated(text) || exemptions.some(({ files }) => files.test(file))) {
    return { words: 0, hits: [] }
  }
  const prose = extractProse(file, text)
  const hits = prose.flatMap((piece) =>
    phrases.flatMap(({ phrase, pattern, instead }) =>
      [...piece.text.matchAll(pattern)].map(({ index, 0: match }) => ({
        file,
        line: piece.lineAt(index),
        phrase,
        instead,
        excerpt: piece.text.slice(Math.max(0, index - 25), index + match.length + 25).trim(),
      })),
    ),
  )
  return { words: prose.reduce((sum, piece) => sum + countWords(piece.text), 0), hits }
}

/** The texts of a generated file are counted at their source. */
export const isGenerated = (text: string) =>
  /^(<!-- |\/\/ |\/\*\* )?(Made|Generated) (by|from) /m.test(text.slice(0, 300))
