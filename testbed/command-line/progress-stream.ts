import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { Option } from 'commander'
import { wrongUsage } from '#scenarios/errors.ts'
import type { PersonQuestion, PersonReply } from '#scenarios/harness/z-person-question.ts'
import { createEndedEvent, type RunEvent, zRunAnswer } from '#scenarios/harness/z-run-event.ts'
import type { ScenarioDisplay } from './show-scenarios.ts'

const progressFormats = ['text', 'json'] as const
export type ProgressFormat = (typeof progressFormats)[number]

export const createProgressOption = () =>
  new Option(
    '--progress <format>',
    'text, or json: one line per event on stdout; closing stdin stops the run',
  )
    .choices([...progressFormats])
    .default('text')

/**
 * Opens the stream of events if `--progress json` asks for it.
 * @throws TestbedError `invalid_option` with `--json`, because both write to stdout
 */
export function openProgressIfAsked(options: {
  readonly progress: ProgressFormat
  readonly json?: boolean
}): ProgressStream | undefined {
  if (options.progress !== 'json') return undefined
  if (options.json) {
    throw wrongUsage('--progress json and --json both write to stdout.', ['Use one of them.'])
  }
  return openProgressStream()
}

/** The other side of `--progress json`: a program that shows a run and answers its questions. */
export interface ProgressStream {
  /** Aborted once the program has closed stdin: a run without its reader ends. */
  readonly signal: AbortSignal
  createDisplay(total: number): ScenarioDisplay
  say(text: string): void
  /** Undefined if another question replaced this one, or the signal has withdrawn it. */
  ask(question: PersonQuestion, signal: AbortSignal): Promise<PersonReply | undefined>
  /** Withdraws the pending question and stops reading. */
  close(): void
}

function parseAnswer(line: string) {
  try {
    return zRunAnswer.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** Writes each event as a line of JSON, and reads answers in the same form. */
export function openProgressStream(
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): ProgressStream {
  const gone = new AbortController()
  const lines = createInterface({ input })
  let isOpen = true
  let asked = 0
  let settle: ((reply: PersonReply | undefined) => void) | undefined
  const send = (event: RunEvent) => output.write(`${JSON.stringify(event)}\n`)
  const withdraw = () => {
    if (settle === undefined) return
    settle(undefined)
    settle = undefined
    send({ kind: 'question', id: asked, question: null })
  }
  lines.on('line', (line) => {
    const answer = parseAnswer(line)
    // An answer to an earlier question comes too late to count.
    if (answer === undefined || answer.id !== asked || settle === undefined) return
    settle(answer.reply)
    settle = undefined
    send({ kind: 'question', id: asked, question: null })
  })
  lines.on('close', () => {
    if (isOpen) gone.abort(new Error('interrupted'))
  })
  return {
    signal: gone.signal,
    createDisplay(total) {
      send({ kind: 'total', total })
      return {
        show: (progress) =>
          void send(progress.kind === 'ended' ? createEndedEvent(progress.result) : progress),
        finish() {},
      }
    },
    say: (text) => void send({ kind: 'said', text }),
    ask(question, signal) {
      withdraw()
      if (signal.aborted) return Promise.resolve(undefined)
      asked += 1
      const id = asked
      signal.addEventListener('abort', () => id === asked && withdraw(), { once: true })
      send({ kind: 'question', id, question })
      return new Promise((resolve) => {
        settle = resolve
      })
    },
    close() {
      isOpen = false
      withdraw()
      lines.close()
    },
  }
}
