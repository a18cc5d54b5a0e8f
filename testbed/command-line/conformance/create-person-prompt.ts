import { ask as askAtTerminal } from '../terminal/ask.ts'

/** Questions to the person at the terminal that are answered by yes or no, one at a time. */
export interface PersonPrompt {
  /** Undefined where nobody is there, nobody can tell, or another question came in between. */
  ask(question: string): Promise<boolean | undefined>
  /** Withdraws the question that still waits. */
  close(): void
}

/** A question whose answer was found elsewhere, or came too late, makes way for the next. */
export function createPersonPrompt(ask = askAtTerminal): PersonPrompt {
  let current = new AbortController()
  return {
    async ask(question) {
      current.abort()
      current = new AbortController()
      const words = `${question} [y: yes, n: no, Enter: cannot tell] `
      // Ctrl-D is no answer, as Enter is.
      const answer = (await ask(words, current.signal).catch(() => undefined)) ?? ''
      if (/^y(es)?$/i.test(answer)) return true
      return /^no?$/i.test(answer) ? false : undefined
    },
    close: () => current.abort(),
  }
}
