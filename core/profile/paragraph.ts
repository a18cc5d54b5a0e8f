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
 * Returns the address of a paragraph, such as `docs/profile/issuer.md#1.errors.3`, in the
 * documentation: the built site, or its Markdown as the console serves it.
 * @param documentationUrl without a trailing slash
 */
export const paragraphAddress = (documentationUrl: string, paragraph: string): string =>
  `${documentationUrl}/${paragraph.replace(/^docs\//, '').replace('.md', '')}`

/**
 * Returns the plain text of a statement.
 * @throws TypeError if the profile has no such statement
 */
export const textOf = (id: string): string => statementOf(id).text
