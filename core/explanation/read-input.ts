import { type ParsedJws, parseJws } from '#core/crypto/jws.ts'
import { isJsonObject, type JsonObject } from '#core/json/json-object.ts'
import { deepestNesting, findJsonProblem } from '#core/json/read-json.ts'
import { type FoundLink, findLink } from '#core/link/find-link.ts'

/** A compact JWT, as text and parsed. */
export interface InputJwt {
  readonly compact: string
  readonly jws: ParsedJws
}

/** An input in every form that it can be parsed as. */
export interface ExplanationInput {
  readonly text: string
  readonly json: JsonObject | undefined
  /** Why it is not a JSON object. */
  readonly jsonProblem: string
  readonly jwt: InputJwt | undefined
  /** Why it is not a JWT. */
  readonly jwtProblem: string
  /** A link for wallets in the text. */
  readonly link: FoundLink | undefined
  /** The fields of a posted form. */
  readonly form: URLSearchParams | undefined
}

const longestForm = 2_000_000

/** Parses a string or a JSON value in every form that a message can have. Never throws. */
export function readInput(input: unknown): ExplanationInput {
  const text = (typeof input === 'string' ? input : (JSON.stringify(input) ?? '')).trim()
  const json = parseJson(text)
  // A JWT may be in quotation marks if it was copied from a JSON message.
  const inner = json.ok && typeof json.value === 'string' ? json.value.trim() : text
  const jwt = readJwt(inner)
  const object = json.ok ? asObject(json.value) : undefined
  return {
    text: inner,
    json: object,
    jsonProblem: json.ok ? 'it is JSON, but not an object' : json.problem,
    jwt: jwt.ok ? jwt.jwt : undefined,
    jwtProblem: jwt.ok ? '' : jwt.problem,
    link: object || jwt.ok ? undefined : findLink(inner),
    form: readForm(inner),
  }
}

/** Parses a compact JWT; ignores white space and line breaks in it. */
export function readJwt(
  text: string,
):
  | { readonly ok: true; readonly jwt: InputJwt }
  | { readonly ok: false; readonly problem: string } {
  const compact = text.replace(/\s+/g, '')
  const jws = parseJws(compact)
  const { length } = compact.split('.')
  if (!jws.ok) {
    return { ok: false, problem: length === 3 ? jws.reason : `${jws.reason}, it has ${length}` }
  }
  return { ok: true, jwt: { compact, jws } }
}

/** The value as an object; undefined for anything else. */
export function asObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string }

/** Parses JSON as strictly as the services parse messages. */
export function parseJson(text: string): ParsedJson {
  const problem = findJsonProblem(Buffer.from(text), deepestNesting)
  if (problem !== undefined) return { ok: false, problem }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    // Without a place, it does not even begin like JSON.
    const [place] = /\(line \d+ column \d+\)/.exec(String(error)) ?? []
    return { ok: false, problem: ['it is not valid JSON', ...(place ? [place] : [])].join(' ') }
  }
}

function readForm(text: string): URLSearchParams | undefined {
  const isForm = text.length < longestForm && /^[\w.-]+=[^\s{}"<>]*$/.test(text)
  return isForm ? new URLSearchParams(text) : undefined
}
