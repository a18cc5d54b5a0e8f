/** A word as a POSIX shell takes it for that very word; what needs no quotes has none. */
export function quoteForShell(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
