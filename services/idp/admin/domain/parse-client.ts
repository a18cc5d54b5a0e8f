import { type Authentication, authentications, type Client } from '../../domain/client.ts'
import { redirectUriProblem } from './redirect-uri-problem.ts'

/** A client's form as it was typed. */
export interface ClientForm {
  readonly clientId: string
  readonly name: string
  readonly authentication: string
  /** One a line. */
  readonly redirectUris: string
}

/** What is wrong with which field, in words for people. */
export interface FieldProblem {
  readonly field: keyof ClientForm
  readonly message: string
}

export type ParsedClient =
  | { readonly ok: true; readonly client: Client }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

const mostUris = 20

/** Reads a client's form; every field is judged whatever is wrong with the others. */
export function parseClient(form: ClientForm, allowsHttp: boolean): ParsedClient {
  const problems: FieldProblem[] = []
  const clientId = form.clientId.trim()
  const name = form.name.trim()
  if (!/^[A-Za-z0-9._~-]{1,100}$/.test(clientId)) {
    problems.push({ field: 'clientId', message: 'Use 1 to 100 letters, digits and . _ ~ -' })
  }
  if (!/^[^\p{Cc}]{1,100}$/u.test(name)) {
    problems.push({ field: 'name', message: 'Give a name of 1 to 100 characters.' })
  }
  const isKnown = (text: string): text is Authentication =>
    (authentications as readonly string[]).includes(text)
  const { authentication } = form
  if (!isKnown(authentication)) {
    problems.push({ field: 'authentication', message: 'Choose one of the ways.' })
  }
  const { redirectUris, messages } = readUris(form.redirectUris, allowsHttp)
  problems.push(...messages.map((message) => ({ field: 'redirectUris', message }) as const))
  if (problems.length > 0 || !isKnown(authentication)) return { ok: false, problems }
  return { ok: true, client: { clientId, name, authentication, redirectUris } }
}

function readUris(text: string, allowsHttp: boolean) {
  const messages: string[] = []
  const redirectUris = new Set<string>()
  for (const [index, content] of text.split(/\r\n|\n|\r/).entries()) {
    const uri = content.trim()
    if (uri === '') continue
    const problem = redirectUriProblem(uri, allowsHttp)
    if (problem !== undefined) messages.push(`Line ${index + 1}: ${problem}.`)
    redirectUris.add(uri)
  }
  if (redirectUris.size === 0) messages.push('Give at least one address.')
  if (redirectUris.size > mostUris) messages.push(`Give at most ${mostUris} addresses.`)
  return { redirectUris: [...redirectUris], messages: messages.slice(0, mostUris) }
}
