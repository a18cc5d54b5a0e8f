import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'
import { wrongUsage } from '#scenarios/errors.ts'
import { declined } from './errors.ts'

/** Prints messages for the person, to stderr. */
export function say(line: string): void {
  process.stderr.write(`${paintSign(line, process.stderr)}\n`)
}

/** Prints data for the next program, to stdout. */
export function print(text: string): void {
  process.stdout.write(`${paintSign(text, process.stdout)}\n`)
}

const signColors = { '✓': 'green', '✗': 'red', '!': 'yellow', '?': 'yellow' } as const

/** Colours the sign that a line begins with, if the stream is a terminal. */
const paintSign = (line: string, stream: NodeJS.WritableStream) =>
  line.replace(
    /^(\s*)([✓✗!?])(?= )/u,
    (_, indent: string, sign: keyof typeof signColors) =>
      indent + styleText(signColors[sign], sign, { stream }),
  )

/** A line on a terminal that shows what is in progress, and disappears. */
export interface StatusLine {
  show(text: string): void
  clear(): void
}

/** Writes only to a terminal. */
export function createStatusLine(stream: NodeJS.WriteStream): StatusLine {
  const clear = () => {
    if (stream.isTTY) stream.write('\r\u001B[K')
  }
  return {
    clear,
    show(text) {
      clear()
      const shown = text.slice(0, Math.max((stream.columns ?? 80) - 1, 20))
      if (stream.isTTY) stream.write(styleText('dim', shown, { stream }))
    },
  }
}

const barWidth = 20

/** A progress bar with percentage; `done` is 0 to 1. */
export function formatBar(done: number): string {
  const filled = Math.floor(done * barWidth)
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${Math.floor(done * 100)} %`
}

export type Style = Parameters<typeof styleText>[0]

/** Colours text for a stream, if that is a terminal and NO_COLOR is not set. */
export const createPaint = (stream: NodeJS.WriteStream) => (style: Style, text: string) =>
  styleText(style, text, { stream })

/** Colours a part of what is printed to stdout. */
export const paint = (style: Style, text: string) => createPaint(process.stdout)(style, text)

/** Prints data as indented JSON, for `--json`. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/**
 * Makes untrusted text safe for a terminal: control characters could move the cursor or overwrite
 * earlier output.
 */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, ' ')
}

const segmenter = new Intl.Segmenter()

/** The characters that a person sees: a letter with its accents, an emoji with all its parts. */
export const charactersOf = (text: string): string[] =>
  [...segmenter.segment(text)].map(({ segment }) => segment)

const invisible = /^[\p{Mn}\p{Cf}]+$/u
/** Characters that terminals draw over two columns. */
const wide =
  /^(?:\p{RGI_Emoji}|[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\uff01-\uff60\uffe0-\uffe6])/v

/** The columns that text takes on a terminal. */
export const columnsOf = (text: string): number =>
  charactersOf(text).reduce(
    (sum, character) => sum + (invisible.test(character) ? 0 : wide.test(character) ? 2 : 1),
    0,
  )

/**
 * Asks the person at the terminal, on stderr because stdout is for data. Undefined if stdin is not
 * a terminal, because no person can answer, or if the question is withdrawn. Ctrl-C ends the
 * program as usual; Ctrl-D throws a TestbedError `declined`.
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
    // readline reads the terminal in raw mode, where Ctrl-C does not send a signal.
    if (interruption.signal.aborted) process.kill(process.pid, 'SIGINT')
    throw declined('No answer.')
  } finally {
    terminal.close()
  }
}

/**
 * Whether an answer to a question that ends in `[Y/n]` is yes; also true if the question was not
 * asked.
 */
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
    throw wrongUsage('This requires confirmation, but stdin is not a terminal.', [
      'Add --yes to confirm.',
    ])
  }
  if (/^(y|yes)$/i.test(answer)) return
  throw declined('Nothing was changed.')
}

/**
 * Breaks text into lines at spaces; cuts a word that is longer than a line. Returns at least one
 * line.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
    while (line.length > width) {
      lines.push(line.slice(0, width))
      line = line.slice(width)
    }
  }
  return [...lines, line]
}
