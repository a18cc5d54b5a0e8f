/** Talk, for the person: to stderr. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Data, for the next program: to stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Data as JSON, where `--json` asks for it; readable as it stands. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/**
 * A text from somebody else, fit for a terminal: control characters would let it move the cursor or
 * change what was printed before.
 */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, ' ')
}
