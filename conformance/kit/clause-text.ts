import { readClauseTitles } from './read-clause-titles.ts'

/** A clause with its title, where it is known: `OpenID4VCI 1.0, 8.3.1.2 Credential Request Errors`. */
export function clauseText(clause: string): string {
  return `${clause} ${readClauseTitles().get(clause) ?? ''}`.trimEnd()
}
