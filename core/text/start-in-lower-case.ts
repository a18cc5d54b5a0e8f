/**
 * Returns a sentence for the middle of another one: `The credential …` as `the credential …`. A name
 * at its beginning keeps its case, such as `VerifiableCredential` or `JWT`.
 */
export const startInLowerCase = (sentence: string): string =>
  sentence.replace(/^[A-Z](?=[a-z]* )/, (first) => first.toLowerCase())
