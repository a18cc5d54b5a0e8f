import { createInterface } from 'node:readline/promises'

/**
 * Asks the person at the terminal, on stderr, as stdout is for data. Undefined where stdin is no
 * terminal: nobody is there to answer.
 */
export async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}
