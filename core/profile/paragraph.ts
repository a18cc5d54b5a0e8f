import { statements } from './statements.ts'

function statementOf(id: string) {
  const statement = statements.get(id)
  if (statement === undefined) throw new TypeError(`The profile has no statement ${id}`)
  return statement
}

/**
 * Returns the place of a statement in the profile, relative to the repository:
 * `docs/profile/issuer.md#1.errors.3`.
 * @throws TypeError if the profile has no such statement
 */
export const paragraphOf = (id: string): string => `docs/profile/${statementOf(id).page}.md#${id}`

/**
 * Returns the plain text of a statement.
 * @throws TypeError if the profile has no such statement
 */
export const textOf = (id: string): string => statementOf(id).text
