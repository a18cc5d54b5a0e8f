import type { Texts } from '#kit/language.ts'

/** A named QR code for a wallet or a verifier under test. */
export interface TestCode {
  /** In kebab-case. */
  readonly name: string
  /** A conformant wallet rejects it. Default: it accepts it. */
  readonly rejected?: true
  /** The rule that it breaks. */
  readonly rule?: string
  /** Id of the statement of the profile, if no rule belongs to it. */
  readonly statement?: string
  readonly texts: Texts<{ readonly title: string; readonly about: string }>
}

/** A QR code that was made for one use. */
export interface CreatedCode {
  readonly link: string
  readonly pin?: string
  /** The session of a presentation request at the verifier. */
  readonly sessionId?: string
}

/** The groups of codes, in the order of the page. */
export const codeGroups = ['offers', 'credentials', 'requests'] as const
export type CodeGroup = (typeof codeGroups)[number]

/** A code as the page lists it. */
export interface ListedCode {
  readonly group: CodeGroup
  readonly name: string
  readonly title: string
  readonly about: string
  /** True if the description is English regardless of the page. */
  readonly isEnglish: boolean
  readonly rejected: boolean
  readonly rule?: string
  /** Rules that then fail too. */
  readonly entails: readonly string[]
  readonly paragraph?: string
}
