/**
 * Starts the reason of a rejection with a capital letter, as the values next to it do. Names of
 * members keep theirs.
 */
export const asSentence = (reason: string): string =>
  reason.replace(/^(a|an|fetching|it|its|more|no|the|there|this)\b/, (word) =>
    word.replace(/^./, (letter) => letter.toUpperCase()),
  )
