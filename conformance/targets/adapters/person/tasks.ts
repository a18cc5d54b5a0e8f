import { createQrPng } from '#core/qr/qr-code.ts'
import type { PersonAnswer, PersonQuestion } from '#scenarios/harness/z-person-question.ts'

/** The texts of a question. */
export interface TaskWords {
  readonly title: string
  readonly about: string
  readonly answers: Readonly<Record<PersonAnswer, string>>
}

/**
 * The same texts for every check of a kind: the person must not learn from them whether the system
 * should accept.
 */
export const taskWords: Readonly<Record<PersonQuestion['verb'], TaskWords>> = {
  'accept-offer': {
    title: 'Accept a credential',
    about:
      'Scan the code with the wallet and try to get the credential, as far as the wallet allows.',
    answers: {
      accepted: 'It accepted the credential',
      refused: 'It refused',
      nothing: 'Nothing happened',
      skipped: 'Skip this step',
    },
  },
  present: {
    title: 'Present a credential',
    about:
      'Scan the code with the wallet and try to present a credential, as far as the wallet allows.',
    answers: {
      accepted: 'It presented a credential',
      refused: 'It refused',
      nothing: 'Nothing happened',
      skipped: 'Skip this step',
    },
  },
  watch: {
    title: 'Look at the verifier',
    about: 'The kit has sent a presentation. Look at what the verifier shows.',
    answers: {
      accepted: 'It accepted the presentation',
      refused: 'It refused',
      nothing: 'Nothing happened',
      skipped: 'Skip this step',
    },
  },
}

/** Schemes that the browser itself interprets, regardless of the rest of the link. */
const unsafeScheme = /^\s*(?:javascript|data|vbscript|blob|file|about|view-source):/i
const longestInQr = 2953

/** How a page shows the link of a task. */
export interface DrawnLink {
  /** The QR code as a `data:` address; undefined if the link is too long for one. */
  readonly image: string | undefined
  /** Whether a page may offer to open it. */
  readonly isSafe: boolean
}

/** Draws the link of a task. */
export function drawLink(link: string): DrawnLink {
  const isShort = Buffer.byteLength(link) <= longestInQr
  return {
    image: isShort ? `data:image/png;base64,${createQrPng(link).toString('base64')}` : undefined,
    isSafe: !unsafeScheme.test(link),
  }
}
