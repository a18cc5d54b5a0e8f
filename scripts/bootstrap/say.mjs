/** Prints progress to stderr, because stdout is for data. */
export function say(text) {
  process.stderr.write(`testbed: ${text}\n`)
}
