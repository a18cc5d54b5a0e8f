import type { VerbAnswer } from '../verb-answer.ts'

/** What a person is asked to do. Nothing in it tells what the wallet ought to do. */
export interface PersonTask {
  /** Name of the verb it stands for. */
  readonly verb: 'accept-offer' | 'present'
  /** For the QR code, and for the button on the same device. */
  readonly link: string
  /** Where the offer has one. */
  readonly pin?: string
}

/** What a person can tell of a wallet. */
export const told = ['accepted', 'refused', 'nothing', 'skipped'] as const
export type Told = (typeof told)[number]

/** Where a person who holds the wallet is asked, one thing at a time. */
export interface PersonDesk {
  /** The page's address, with a part that nobody can guess. */
  readonly url: string
  /** Shows a task until it is answered or the time is over. Never rejects. */
  ask(
    task: PersonTask,
    limits: { readonly signal: AbortSignal; readonly timeoutMilliseconds: number },
  ): Promise<VerbAnswer>
  /** Tells whoever has the page open that the run is over. */
  close(): void
}
