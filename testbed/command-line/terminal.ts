import { createInterface } from 'node:readline/promises'
import { wrongUsage } from '#scenarios/errors.ts'
import { declined } from './errors.ts'

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

/**
 * Asks the person at the terminal, on stderr, as stdout is for data. Undefined where stdin is no
 * terminal, as nobody is there to answer, and where the question is withdrawn. Ctrl-C ends the program
 * as it does elsewhere; Ctrl-D throws a TestbedError `declined`.
 */
export async function ask(question: string, withdrawn?: AbortSignal): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const interruption = new AbortController()
  const signals = [interruption.signal, ...(withdrawn ? [withdrawn] : [])]
  const signal = AbortSignal.any(signals)
  terminal.once('SIGINT', () => interruption.abort())
  try {
    return (await terminal.question(question, { signal })).trim()
  } catch {
    process.stderr.write('\n')
    if (withdrawn?.aborted) return undefined
    // A terminal that is being read gives no signal by itself.
    if (interruption.signal.aborted) process.kill(process.pid, 'SIGINT')
    throw declined('There was no answer.')
  } finally {
    terminal.close()
  }
}

/** Whether an answer to a question that ends in `[Y/n]` is yes; so it is where nobody was asked. */
export function isYes(answer: string | undefined): boolean {
  return answer === undefined || /^(y|yes)?$/i.test(answer)
}

/**
 * Asks before something that cannot be undone.
 * @throws TestbedError `declined`, or `invalid_option` if stdin is not a terminal
 */
export async function confirm(question: string, { yes = false }: { readonly yes?: boolean }) {
  if (yes) return
  const answer = await ask(`${question} [y/N] `)
  if (answer === undefined) {
    throw wrongUsage('This needs a confirmation, and stdin is not a terminal.', [
      'Add --yes to confirm.',
    ])
  }
  if (/^(y|yes)$/i.test(answer)) return
  throw declined('Nothing was changed.')
}
