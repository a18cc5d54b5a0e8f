/** Tells people what is going on. On stderr: stdout is for data. */
export function say(text) {
  process.stderr.write(`testbed: ${text}\n`)
}
