import type { PersonTask, Told } from './person-desk.ts'

/** What a task says to a person. */
interface TaskWords {
  readonly title: string
  readonly about: string
  readonly answers: Readonly<Record<Told, string>>
}

/**
 * The same words for every check of a kind: whoever reads them must not learn whether the wallet
 * ought to accept.
 */
export const taskWords: Readonly<Record<PersonTask['verb'], TaskWords>> = {
  'accept-offer': {
    title: 'A credential is offered',
    about:
      'Scan the code with the wallet and try to get the credential, as far as the wallet lets you.',
    answers: {
      accepted: 'It took the credential',
      refused: 'It refused',
      nothing: 'Nothing happened',
      skipped: 'Skip this one',
    },
  },
  present: {
    title: 'A presentation is asked for',
    about:
      'Scan the code with the wallet and try to present a credential, as far as the wallet lets you.',
    answers: {
      accepted: 'It presented a credential',
      refused: 'It refused',
      nothing: 'Nothing happened',
      skipped: 'Skip this one',
    },
  },
}
