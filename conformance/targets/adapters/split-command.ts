/**
 * Splits a command line into words: at white space, but for what stands in single or double quotes;
 * a backslash takes what follows it as it is, within double quotes only a quote or a backslash.
 * Nothing is expanded. Undefined where a quote is not closed.
 */
export function splitCommand(command: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < command.length; index++) {
    const character = command.charAt(index)
    const next = command.charAt(index + 1)
    if (
      character === '\\' &&
      next !== '' &&
      (quote === '' || (quote === '"' && /["\\]/.test(next)))
    ) {
      word = `${word ?? ''}${next}`
      index++
    } else if (quote !== '') {
      if (character === quote) quote = ''
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = `${word ?? ''}${character}`
    }
  }
  if (quote !== '') return undefined
  return word === undefined ? words : [...words, word]
}
