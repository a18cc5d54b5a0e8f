import type { VerbAnswer } from '../verb-answer.ts'

/** What a person is asked to do. Nothing in it tells what the wallet ought to do. */
export interface PersonTask {
  /** `Scan the code and accept the credential`: what to do. */
  readonly title: string
  /** What this is about, in a sentence or two. */
  readonly about: string
  /** For the QR code and the button on the same device. */
  readonly link: string
  /** Where the wallet may ask for one. */
  readonly pin?: string
  /** Name of the verb it stands for. */
  readonly verb: string
}

/** Where a person who holds the wallet is asked, one thing at a time. */
export interface PersonDesk {
  /** The page's address, with a part that nobody can guess. */
  readonly url: string
  /** Shows a task until it is answered or the time is over. Never rejects. */
  ask(
    task: PersonTask,
    limits: { readonly signal: AbortSignal; readonly timeoutMilliseconds: number },
  ): Promise<VerbAnswer>
  close(): void
}
