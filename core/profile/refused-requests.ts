import { paragraphOf } from './paragraph.ts'
import { type Requirement, requirements } from './requirements.ts'

/** A recorded request that a service of the testbed rejected. */
interface RefusedRequest {
  /** The service that answered, such as `issuer`. */
  readonly to: string
  /** Path with query. */
  readonly url: string
  readonly status: number
  readonly requestBody?: unknown
  readonly responseBody?: unknown
}

/** The requirement that a rejected request does not meet. */
export interface UnmetRequirement {
  /** Stable name, for example `issuance.power-authorized`. */
  readonly rule: string
  /** The requirement, as one sentence. */
  readonly statement: string
  /** What the service found instead, and the member of the request in question. */
  readonly reasons: readonly string[]
  /** How to fix the request. */
  readonly fix: string
  /** `docs/profile/PAGE.md#ANCHOR` */
  readonly paragraph: string
}

/** The members of an error, as the services of the testbed name them. */
interface ErrorMembers {
  readonly error?: unknown
  readonly error_description?: unknown
  readonly detail?: unknown
  readonly missing?: unknown
  readonly code?: unknown
  readonly message?: unknown
}

const longestValue = 300

/** The value of a member as text, shortened; undefined if it is missing or masked. */
function showMember(body: unknown, name: string): string | undefined {
  const value = (Object(body) as Record<string, unknown>)[name]
  if (value === undefined || value === '***') return undefined
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `${name}: ${text.length > longestValue ? `${text.slice(0, longestValue)}…` : text}`
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The members of the error in an answer. A JSON-RPC error is an object with code and message. */
function errorIn(body: unknown): ErrorMembers {
  const members = Object(body) as ErrorMembers
  return typeof members.error === 'object' ? Object(members.error) : members
}

function describeUnmet(
  { name: rule, statement, fix, place, member }: Requirement,
  { requestBody, responseBody, status }: RefusedRequest,
): UnmetRequirement {
  const { error_description: description, detail, message, error, missing } = errorIn(responseBody)
  const said = [description, detail, message, error].find(isText) ?? `HTTP ${status}`
  const members = [missing ?? []].flat().filter(isText).join(', ')
  const value = member === undefined ? undefined : showMember(requestBody, member)
  return {
    rule,
    statement,
    reasons: [members === '' ? said : `${said}: ${members}`, ...(value ? [value] : [])],
    fix,
    paragraph: place.includes('#') ? `docs/profile/${place}` : paragraphOf(place),
  }
}

/**
 * The requirement of the profile that a rejected request does not meet; undefined if the request
 * was not rejected, or if no requirement covers the rejection. The rules about credentials,
 * presentations and proofs are separate: the services evaluate and record them.
 */
export function explainRefusedRequest(request: RefusedRequest): UnmetRequirement | undefined {
  const { to, url, status, responseBody } = request
  const { code, error, error_description: description, detail, message } = errorIn(responseBody)
  const isRpcError = status === 200 && to === 'tir' && typeof code === 'number' && code < 0
  if (!isRpcError && (status < 400 || status >= 500)) return undefined
  const said = [status, code, error, description, detail, message].filter(
    (each) => typeof each === 'number' || isText(each),
  )
  const text = said.join(' ')
  const path = url.split('?', 1)[0] ?? url
  const found = requirements.find(
    (each) => each.part === to && each.path.test(path) && each.error.test(text),
  )
  return found && describeUnmet(found, request)
}
