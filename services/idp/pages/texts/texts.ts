import type { FailureReason } from '../../domain/login.ts'

/** Every text of the pages. A language is one file that fills this in. */
export interface Texts {
  /** BCP 47. */
  readonly language: string
  readonly title: string
  /** Before the name of the application. */
  readonly toContinueTo: string
  readonly scan: string
  readonly steps: readonly string[]
  readonly qrAlternative: string
  readonly openWallet: string
  readonly openWalletHint: string
  /** Before the time that is left, m:ss. */
  readonly validFor: string
  readonly waiting: string
  readonly succeededTitle: string
  readonly succeeded: string
  readonly connectionLost: string
  readonly withoutScript: string
  readonly continueLink: string
  readonly cancel: string
  readonly failedTitle: string
  readonly expiredTitle: string
  readonly expiredMessage: string
  readonly newCode: string
  readonly tryAgain: string
  readonly details: string
  readonly reasons: Readonly<Record<FailureReason, string>>
  readonly returnTitle: string
  readonly returnMessage: string
  readonly cannotGoOn: string
  /** Of what the application sent. */
  readonly badRequest: string
  readonly startAgain: string
  readonly serverErrorTitle: string
  readonly serverError: string
  readonly tryLater: string
  /** Messages by error code. */
  readonly errors: Readonly<Record<string, string>>
}
