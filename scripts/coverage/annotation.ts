/** A place that names the statements of the profile that it fulfils or tests. */
export interface Annotation {
  readonly side: 'code' | 'test'
  /** Path below the repository's root. */
  readonly file: string
  /** Of the comment, counted from 1. */
  readonly line: number
  /** What is found there: `GET /path`, an exported symbol, a contract's function, a test's title. */
  readonly label: string
  /** Single ids of statements; ranges are written out. */
  readonly rows: readonly string[]
}

/** What one file, or many of them, say. */
export interface Annotations {
  readonly annotations: readonly Annotation[]
  /** Sentences about annotations that can't be read. */
  readonly problems: readonly string[]
}

/** A source file as the collectors take it. */
export interface SourceFile {
  /** Path below the repository's root. */
  readonly file: string
  readonly text: string
}

/** Tests are the files named so, Solidity's included, and the scenarios; everything else is code. */
export const sideOf = (file: string): Annotation['side'] =>
  file.startsWith('test/') || file.startsWith('scenarios/suites/') || file.endsWith('.t.sol')
    ? 'test'
    : 'code'
